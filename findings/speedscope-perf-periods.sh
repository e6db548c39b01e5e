#!/bin/bash
# speedscope weighs the samples of `perf script` by the time between them and passes over their periods.
#
# Versions: speedscope 1.25.0 (npm), node 20; needs node and npm.
# A line of perf script has the time of a sample and its period, the number of events that it stands for. perf report and
# stackcollapse-perf.pl add up periods. speedscope gives each sample the time from halfway to the one before to halfway to
# the next. Where periods differ, as with perf record -F, or where one line stands for many events, shares are others.
# Seen: one sample of 900 cycles in `hot` and two of 50 in `cold`, 0.1 s apart. hot has 90 % of the cycles and 25 %
# in speedscope.
source "$(dirname "$(readlink -f "$0")")/unpack"

npm pack --silent speedscope@1.25.0 >/dev/null
tar xzf speedscope-1.25.0.tgz
cat >perf.txt <<'END'
program 100 1.000000: 900 cycles:
	    1000 hot+0x0 (program)

program 100 1.100000: 50 cycles:
	    2000 cold+0x0 (program)

program 100 1.200000: 50 cycles:
	    2000 cold+0x0 (program)

END
# The package is one script for browsers. Its importer is handed out before the page is drawn.
cat >show.js <<'END'
const fs = require('fs'), vm = require('vm')
const folder = 'package/dist/release/'
const bundle = fs.readFileSync(folder + fs.readdirSync(folder).find(name => /^speedscope-.*\.js$/.test(name)), 'utf8')
const importer = /function (\w+)\(\w\)\{let \w=new Map,\w=null;for\(let \w of \w+\(\w\)\)\{if\(\w==null\|\|\w!=null&&\w!=\w\.eventType.*?var (\w+)=re\(\(\)=>\{"use strict";[^}]*\}\);/s.exec(bundle)
const end = importer.index + importer[0].length
const page = vm.createContext({console})
const shared = bundle.slice(0, end) + `globalThis.read = text => (${importer[2]}(), ${importer[1]}(text));` + bundle.slice(end)
try { vm.runInContext(shared, page) } catch (error) { if (!page.read) throw error }
const text = fs.readFileSync('perf.txt', 'utf8')
const profile = page.read({splitLines: () => text.split('\n'), firstChunk: () => text}).profiles[0]
profile.forEachFrame(frame => {
  console.log(frame.name.split(' ')[0], (100 * frame.getSelfWeight() / profile.getTotalNonIdleWeight()).toFixed(0) + ' %')
})
END
node show.js | tee found
printf '%s\n' 'hot 25 %' 'cold 75 %' >expected
cmp -s expected found || fail "speedscope shows other shares now"
