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
