// The style and the script of the page. A part of page.cc.
#pragma once

#include <string_view>

namespace hardclock::report {

inline constexpr std::string_view page_style = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --soft: #5a5a5a; --line: #d4d4d4;
 --bar: #f0b35a; --over: #b3261e; --mark: #0b57d0; --r0: #8fbf73; --r1: #e69f00; --r2: #b07a3c;
 --r3: #cc79a7; --r4: #56b4e9; --r5: #0072b2; --r6: #1b3a6b; --r7: #d55e00; --r8: #7a6bb0;
 --r9: #9a9a9a }
@media (prefers-color-scheme: dark) { :root { --paper: #171717; --ink: #e6e6e6; --soft: #a8a8a8;
 --line: #3c3c3c; --bar: #9a6a1c; --over: #ff9d94; --mark: #8ab4f8; --r0: #7aa862; --r6: #6d8fd0;
 --r9: #8a8a8a } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1240px; padding: 16px; background: var(--paper); color: var(--ink);
 font: 15px/1.45 system-ui, sans-serif }
h1 { font-size: 1.4em; margin: 0 0 4px; overflow-wrap: anywhere }
h2 { font-size: 1.1em; margin: 28px 0 8px }
p { margin: 6px 0; max-width: 75ch }
.soft, figcaption { color: var(--soft); font-size: .9em }
code, .name { font-family: ui-monospace, monospace; font-size: .93em; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 10px 20px;
 margin: 14px 0 }
dt { color: var(--soft); font-size: .85em }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: 3px 8px; text-align: right; vertical-align: baseline; white-space: nowrap;
 border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-weight: 600; font-size: .85em }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9em; padding-left: 0 }
tbody th { font-weight: inherit; color: inherit; font-size: inherit }
.bar { background: linear-gradient(var(--bar), var(--bar)) no-repeat left / var(--w) 100% }
.stack { display: flex; height: 1em; min-width: 110px; background: var(--line) }
.stack i { flex: none; width: var(--w); background: var(--c); box-shadow: inset -1px 0 var(--paper) }
.why, thead .why { min-width: 130px; text-align: left }
.why details, .reasons { margin: 0; text-align: left }
.why summary { padding: 3px 0; list-style: none; cursor: pointer }
.why summary::-webkit-details-marker { display: none }
.reasons { list-style: none; padding: 4px 0 }
.reasons li { display: flex; gap: 8px; align-items: baseline }
.reasons span { flex: 1 1 auto }
.reasons b { font-weight: 600; min-width: 4em; text-align: right }
.reasons i { flex: none; width: .8em; height: .8em; background: var(--c) }
.legend .stack { height: 1.6em; margin: 6px 0 }
.legend .reasons { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr));
 gap: 2px 28px }
.far { color: var(--over); font-weight: 600 }
figure { margin: 0 }
.flame { display: block; min-width: 340px }
.flame text { fill: #000; pointer-events: none }
.flame rect { stroke: var(--paper); stroke-width: .5 }
.flame .out { opacity: .35 }
.flame .found > rect { stroke: var(--mark); stroke-width: 4 }
.flame .at > rect { stroke: #000; stroke-width: 3 }
.flame:focus-visible, summary:focus-visible, .scroll:focus-visible, input:focus-visible {
 outline: 2px solid var(--mark); outline-offset: 2px }
.tools { display: none; gap: 12px; flex-wrap: wrap; align-items: center; margin-bottom: 6px }
.scripted .tools { display: flex }
.tools output { flex: 1 1 20em; min-height: 1.45em; overflow-wrap: anywhere }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
 padding: 2px 6px; max-width: 100% }
details, .leaf { margin-left: 14px }
#tree > details, #tree > .leaf, .rest { margin-left: 0 }
summary, .leaf { padding: 1px 0 }
.leaf { padding-left: 1.05em }
summary b, .leaf b { display: inline-block; min-width: 4.6em; text-align: right; font-weight: 600;
 font-variant-numeric: tabular-nums; padding-right: .6em }
@media (max-width: 600px) { body { padding: 10px; font-size: 14px } th, td { padding: 3px 5px }
 details, .leaf { margin-left: 8px } }
@media print { :root { --paper: #fff; --ink: #000; --soft: #333; --line: #999; --bar: #ddd; --over: #000 }
 body { max-width: none; padding: 0; font-size: 10pt } .tools { display: none !important }
 .scroll { overflow: visible } h2, tr, summary { break-inside: avoid; break-after: auto }
 .bar, .flame, .stack i, .reasons i { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
)";

// The boxes' places stand in their attributes, in percent; their rows follow from y.
inline constexpr std::string_view page_script = R"(
'use strict';
const flame = document.querySelector('.flame');
const says = document.querySelector('.tools output');
const search = document.querySelector('.tools input');
const boxes = [...flame.querySelectorAll('svg')].map(e => ({ e, x: parseFloat(e.getAttribute('x')),
 w: parseFloat(e.getAttribute('width')), y: +e.getAttribute('y'),
 name: e.firstElementChild.textContent }));
let at = boxes[0];
const inside = (a, b) => a.x >= b.x - 0.002 && a.x + a.w <= b.x + b.w + 0.002;
function zoom(to) {
 for (const b of boxes) {
  const above = b.y < to.y && inside(to, b);
  const shown = above || inside(b, to) && b.y >= to.y;
  b.e.style.display = shown ? '' : 'none';
  b.e.classList.toggle('out', above);
  b.e.setAttribute('x', above ? '0%' : (b.x - to.x) / to.w * 100 + '%');
  b.e.setAttribute('width', above ? '100%' : b.w / to.w * 100 + '%');
  if (shown && !b.e.querySelector('text') && b.w / to.w > 0.01) {
   const t = document.createElementNS('http://www.w3.org/2000/svg', 'text');
   t.setAttribute('x', 3);
   t.setAttribute('y', 13);
   t.textContent = b.name.replace(/: [0-9]+ (cycle|tick)s?,.*$/, '');
   b.e.append(t);
  }
 }
}
function go(to) {
 if (!to) return;
 at.e.classList.remove('at');
 at = to;
 at.e.classList.add('at');
 says.textContent = at.name;
}
const visible = b => b.e.style.display !== 'none';
function next(key) {
 const row = d => boxes.filter(b => visible(b) && b.y === at.y + d);
 if (key === 'ArrowDown') return row(18).find(b => inside(b, at));
 if (key === 'ArrowUp') return row(-18).find(b => inside(at, b));
 const same = row(0).sort((a, b) => a.x - b.x);
 return same[same.indexOf(at) + (key === 'ArrowRight' ? 1 : -1)];
}
flame.addEventListener('click', event => {
 const box = boxes.find(b => b.e === event.target.closest('.flame svg'));
 if (box) { go(box); zoom(box); }
});
flame.addEventListener('mouseover', event => {
 const box = boxes.find(b => b.e === event.target.closest('.flame svg'));
 if (box) says.textContent = box.name;
});
flame.addEventListener('keydown', event => {
 if (event.key.startsWith('Arrow')) go(next(event.key));
 else if (event.key === 'Enter') zoom(at);
 else if (event.key === 'Escape') zoom(boxes[0]);
 else return;
 event.preventDefault();
});
search.addEventListener('input', () => {
 const wanted = search.value.toLowerCase();
 let found = 0;
 for (const b of boxes) {
  const is = wanted !== '' && b.name.toLowerCase().includes(wanted);
  b.e.classList.toggle('found', is);
  found += is;
 }
 says.textContent = wanted === '' ? '' : found + ' of ' + boxes.length + ' boxes';
});
flame.setAttribute('tabindex', 0);
flame.setAttribute('role', 'application');
flame.setAttribute('aria-label', 'flame graph: arrows move, Enter zooms, Escape shows all');
document.documentElement.classList.add('scripted');
)";

}  // namespace hardclock::report
