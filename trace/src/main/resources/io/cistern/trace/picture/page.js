'use strict';

// Words for numbers.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

function size(bytes) {
  if (bytes == null) return '–';
  let unit = 0;
  let value = bytes;
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return (unit === 0 ? String(bytes) : String(Number(value.toFixed(digits)))) + ' ' + UNITS[unit];
}

const count = number => number == null ? '–' : number.toLocaleString('en');

const counted = (number, what) => `${count(number)} ${what}${number === 1 ? '' : 's'}`;

function duration(micros) {
  if (Math.abs(micros) < 1000) return micros + ' µs';
  return Math.abs(micros) < 1e6 ? (micros / 1e3).toFixed(1) + ' ms' : (micros / 1e6).toFixed(3) + ' s';
}

// Elements and tables.

const element = id => document.getElementById(id);

function make(tag, text, className) {
  const made = document.createElement(tag);
  if (text != null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** A cell that holds a text or an element. */
function cell(value, className) {
  const made = make('td', value instanceof Node ? null : value, className);
  if (value instanceof Node) made.append(value);
  return made;
}

/** A table; names of columns that begin with a blank hold text. */
function table(place, caption, columns, rows) {
  const made = make('table');
  made.append(make('caption', caption));
  const head = make('thead');
  const names = make('tr');
  for (const name of columns) {
    const heading = make('th', name.trim(), name.startsWith(' ') ? 'text' : '');
    heading.scope = 'col';
    names.append(heading);
  }
  head.append(names);
  const body = make('tbody');
  for (const row of rows) {
    const line = make('tr');
    row.forEach((value, i) => line.append(cell(value, columns[i].startsWith(' ') ? 'text' : '')));
    body.append(line);
  }
  made.append(head, body);
  element(place).replaceChildren(made);
}
