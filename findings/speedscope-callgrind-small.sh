#!/bin/bash
# speedscope gives what a callgrind file has of small functions to their callers.
#
# Versions: speedscope 1.25.0 and playwright-core 1.65.1 (npm), node 20; needs node, npm and Debian's chromium.
# A callgrind file has the own cost of each function, so a list of functions needs no more than sums; callgrind_annotate and
# KCachegrind show them. speedscope makes a call tree of it, from whose paths all its views are drawn, and stops at calls
# that cost less than a ten-thousandth of the most expensive function: their cost is their caller's, and they have no row,
# how many of them there may be. It stops at a function that is on the path already, too.
# Seen: main with 910000 cycles calls 1000 functions of 90 cycles each. speedscope has one row: main, 1000000.
source "$(dirname "$(readlink -f "$0")")/unpack"

npm install --silent --no-audit --no-fund speedscope@1.25.0 playwright-core@1.65.1 >/dev/null
{
  printf 'events: Cycles\n\nfl=a.c\nfn=main\n1 910000\n'
  for i in {1..1000}; do printf 'cfn=small%d\ncalls=1 1\n2 90\n' "$i"; done
  for i in {1..1000}; do printf 'fn=small%d\n1 90\n' "$i"; done
} >callgrind.out
printf 'speedscope.loadFileFromBase64("callgrind.out", "%s")' "$(base64 -w0 callgrind.out)" >profile.js
cat >show.js <<'END'
const { chromium } = require('playwright-core')
const page = `file://${process.cwd()}/node_modules/speedscope/dist/release/index.html#localProfilePath=${process.cwd()}/profile.js`
const rows = () => {
  const found = [...document.querySelectorAll('tr')].map(row => [...row.children].map(cell => cell.innerText))
    .filter(cells => cells.length === 3 && cells[1].includes('%'))
  return found.length && found.map(cells => cells[2] + ' ' + cells[1].split(' ')[0])
};
(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--allow-file-access-from-files'] })
  const tab = await browser.newPage()
  await tab.goto(page)
  await tab.waitForFunction(() => document.title !== 'speedscope')
  await tab.keyboard.press('3')
  for (const row of await (await tab.waitForFunction(rows)).jsonValue()) console.log(row)
  await browser.close()
})()
END
node show.js | tee found
printf 'main 1,000,000\n' >expected
cmp -s expected found || fail "speedscope shows other rows now"
