'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const { facts, rules, texts, verdicts, looks, tables } = data;
const element = id => document.getElementById(id);
const frames = data.frames.map(f => ({ number: f[0], pc: f[1], place: texts[f[2]], text: texts[f[3]],
 stages: f[4], waits: texts[f[5]], now: f[6], next: f[7], ticks: f[8], changed: f[9], caches: f[10],
 look: looks[f[11]], counters: tables[f[12]], event: f[13], output: texts[f[14]] }));
let values = facts.registers.map(() => '');
for (const f of frames) {
 values = values.slice();
 f.fresh = new Set();
 for (let i = 0; i < f.changed.length; i += 2) {
  values[f.changed[i]] = f.changed[i + 1];
  f.fresh.add(f.changed[i]);
 }
 f.registers = values;
}
const verdict = n => ({ kernel: texts[verdicts[n][0]], counter: verdicts[n][1],
 outcome: texts[verdicts[n][2]], steps: verdicts[n][5].map(s => texts[s]) });
const charge = f => {
 const all = f.event ? f.event[2] : [];
 const c = all[all.length - 1];
 return c && { place: texts[c[0]], ticks: c[1], summary: texts[c[2]], own: verdict(c[3]), broken: c[4],
  systems: c[5] };
};
let at = 0, rule = -1, right = 0, guesses = 0;
const counted = n => n.toLocaleString('en');
function make(tag, text, name) {
 const e = document.createElement(tag);
 if (text !== undefined) e.textContent = text;
 if (name) e.className = name;
 return e;
}
function row(cells, name) {
 const tr = make('tr', undefined, name);
 tr.append(...cells.map(c => make('td', c)));
 return tr;
}
const saying = v => (v.counter === null ? 'no counter' : 'counter ' + v.counter) +
 (v.outcome ? ': ' + v.outcome : '');
// Cycles, each from its beginning to its end. Of those in which nothing changes, if they are many,
// the first and the last stand alone, so that what came before them stays in sight.
function columnsOf(shown, most) {
 const changes = [...new Set(shown.flatMap(f => f.stages.filter((_, i) => i % 3)))].sort((a, b) => a - b);
 const columns = [];
 for (let i = changes.length - 1; i > 0 && columns.length < most; --i) {
  const [begin, end] = [changes[i - 1], changes[i]];
  if (end - begin > 6) columns.unshift([begin, begin + 1], [begin + 1, end - 1], [end - 1, end]);
  else for (let c = end; c-- > begin;) columns.unshift([c, c + 1]);
 }
 while (columns.length && columns.length < most && columns[0][0] > 0) {
  columns.unshift([columns[0][0] - 1, columns[0][0]]);
 }
 return columns.slice(-most);
}
function showPipeline() {
 const shown = [];
 for (let i = at; i >= 0 && shown.length < 12; --i) {
  shown.unshift(frames[i]);
  if (i > 0 && frames[i - 1].number + 1 !== frames[i].number) break;
 }
 const columns = columnsOf(shown, 24), table = element('pipeline');
 const head = make('tr');
 head.append(make('th'));
 for (const [c, end] of columns) head.append(make('th', end - c > 1 ? '\u2026' : c % 100));
 table.replaceChildren(head, ...shown.map(f => {
  const tr = make('tr', undefined, f === frames[at] ? 'new' : '');
  tr.append(make('td', f.pc + ' ' + f.text));
  for (const [c, end] of columns) {
   const td = make('td');
   for (let i = 0; i < f.stages.length; i += 3) {
    if (c < f.stages[i + 1] || c >= f.stages[i + 2]) continue;
    td.textContent = end - c > 1 ? '\u2026' : c === f.stages[i + 1] ? texts[f.stages[i]] : '\u2013';
    td.className = 'in';
   }
   tr.append(td);
  }
  return tr;
 }));
}
function showProfil(f, c) {
 const box = element('profil'), v = c ? c.own : f.look[2] === null ? null : verdict(f.look[2]);
 const steps = make('ol');
 if (v) steps.append(...v.steps.map(s => make('li', s, 'mono')));
 const log = f.event && !c ? f.event[1].map(l => make('p', texts[l], 'tick')) : [];
 box.replaceChildren(make('p', c ? (c.ticks === 1 ? 'A tick' : c.ticks + ' ticks') + ' found ' + c.place
  : 'A tick now would find ' + texts[f.look[0]], c ? 'tick' : ''),
  make('p', c ? c.summary : texts[f.look[1]], 'soft'), ...log, steps);
 const broken = c ? c.broken : f.look[4];
 const b = rule >= 0 && rule < broken.length ? verdict(broken[rule]) : null;
 const more = make('ol');
 if (b) more.append(...b.steps.map(s => make('li', s, 'mono')));
 element('broken').replaceChildren(...(b ? [make('p', 'Broken: ' + rules[rule][1]), more] : []));
}
function show() {
 const f = frames[at], c = charge(f), left = Math.max(0, f.next - f.now);
 element('where').textContent = 'instruction ' + counted(f.number) + ': ' + f.text + '   at ' + f.pc +
  ' <' + f.place + '>' + (at === frames.length - 1 && data.ending ? '   THE END: ' + data.ending : '');
 const gap = at > 0 ? f.number - frames[at - 1].number - 1 : f.number - 1;
 element('gap').textContent = gap > 0 ? counted(gap) + ' instructions before this one are left out' : '';
 element('output').textContent = f.output ? 'output: ' + f.output : '';
 element('waits').textContent = f.waits ? f.waits + ' (cycles)' : '';
 showPipeline();
 element('clock').textContent = 'cycle ' + counted(f.now) + ', tick ' + (f.ticks + 1) + ' in ' +
  counted(left) + ' cycles' + (f.event && f.event[0] ? '. A tick came' + (c && c.place === f.place ? ' before this instruction' : '') + '.' : '');
 element('period').value = 1 - Math.min(1, left * facts.ticks / facts.hertz);
 element('caches').textContent = facts.caches.length === 0 ? 'no caches: every access hits' :
  facts.caches.map((name, i) => name + (f.caches[4 * i + 3] ? ' MISS,' : f.caches[4 * i + 2] ? ' hit,' : '') +
   ' ' + counted(f.caches[4 * i + 1]) + (f.caches[4 * i] ? ' of ' + counted(f.caches[4 * i]) : '') +
   ' missed').join('; ');
 showProfil(f, c);
 element('registers').replaceChildren(...facts.registers.map((name, i) =>
  make('span', name.padStart(4) + ' ' + f.registers[i], f.fresh.has(i) && at > 0 ? 'new' : '')));
 const head = make('tr');
 head.append(...['counter', 'kernel', ...(rule >= 0 ? ['broken'] : []), 'last counted for'].map(t => make('th', t)));
 element('counters').replaceChildren(head, ...f.counters.filter(r => r[1] || rule >= 0 && r[3][rule]).map(r => row([r[0], r[1],
  ...(rule >= 0 ? [r[3][rule]] : []), texts[r[2]]], rule >= 0 && r[3][rule] !== r[1] ? 'bad' : '')));
 element('systems').replaceChildren(...(c ? c.systems : f.look[3]).map(n => verdict(n)).map(v =>
  row([v.kernel, saying(v)], v.kernel === facts.system ? 'new' : '')));
 element('rules').replaceChildren(...(c ? c.broken : f.look[4]).map((n, i) =>
  row([rules[i][0], saying(verdict(n))], i === rule ? 'bad' : '')));
 element('score').textContent = guesses ? right + ' of ' + guesses + ' guesses right' : '';
}
function say(text, name) {
 element('says').textContent = text;
 element('says').className = name || '';
}
function go(to) {
 if (to < 0) say('this is the first instruction of the page');
 else if (to >= frames.length) say(data.ending ? 'the program has ended: ' + data.ending :
  'the page ends here; --frames makes it longer');
 else { at = to; say(''); }
 show();
}
const nextTick = () => frames.findIndex((f, i) => i > at && f.event && f.event[2].length > 0);
function goToTick() {
 const to = nextTick();
 if (to < 0) say('no more ticks in this page; --frames makes it longer');
 else go(to);
 return to >= 0;
}
function guess(text) {
 const none = text.trim() === 'none', number = Number(text);
 if (!none && !(text.trim() !== '' && Number.isInteger(number) && number >= 0)) {
  say('a guess is a number, or none', 'bad');
  return;
 }
 if (!goToTick()) return;
 const c = charge(frames[at]), is = c.own.counter === (none ? null : number);
 ++guesses;
 right += is;
 show();
 say((is ? 'Right' : 'Wrong, you said ' + (none ? 'none' : 'counter ' + number)) + ': the tick found ' +
  c.place + ': ' + (c.own.counter === null ? 'no counter' : 'counter ' + c.own.counter), is ? 'good' : 'bad');
}
const select = element('rule');
select.append(...[['none', 'all rules hold'], ...rules].map((r, i) => {
 const option = make('option', r[0]);
 option.value = i - 1;
 option.title = r[1];
 return option;
}));
select.addEventListener('change', () => {
 rule = Number(select.value);
 say(rule >= 0 ? 'broken: ' + rules[rule][1] : 'all rules hold');
 show();
});
element('first').addEventListener('click', () => go(0));
element('back').addEventListener('click', () => go(at - 1));
element('step').addEventListener('click', () => go(at + 1));
element('tick').addEventListener('click', goToTick);
element('guess').addEventListener('keydown', event => {
 if (event.key === 'Enter') guess(event.target.value);
 if (event.key === 'Escape') event.target.blur();
 event.stopPropagation();
});
document.addEventListener('keydown', event => {
 if (event.ctrlKey || event.altKey || event.metaKey || event.target === select) return;
 const keys = { s: () => go(at + 1), ArrowRight: () => go(at + 1), b: () => go(at - 1),
  ArrowLeft: () => go(at - 1), t: goToTick, g: () => element('guess').focus(), x: () => select.focus(),
  Home: () => go(0) };
 if (!keys[event.key]) return;
 event.preventDefault();
 keys[event.key]();
});
element('facts').textContent = facts.processor + ', ' + facts.hertz / 1e6 + ' MHz; ' + facts.system +
 ', ' + facts.ticks + ' ticks a second; ' + counted(frames.length) + ' instructions are in this page';
if (frames.length > 0) show();
else say('the program ended before its first instruction');
