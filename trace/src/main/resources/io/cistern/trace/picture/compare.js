
// The page.

const report = JSON.parse(document.getElementById('data').textContent);
const ratio = value => value == null ? '–' : value.toFixed(3);

element('subject').textContent = `On device ${report.device}, alignment ${size(report.alignment)}`;
if (report.interrupted) {
  element('partial').hidden = false;
  element('partial').textContent = `Partial: interrupted after ${report.rows.length} of ${report.asked} replays.`;
}

/** How much of the widest is reserved, the part up to the lower bound in another colour. */
function bar(bytes, lowerBound, widest) {
  const made = make('div', null, 'bar');
  const part = (value, style) => {
    const piece = make('i');
    piece.style.width = 100 * value / widest + '%';
    piece.style.background = `var(--${style})`;
    made.append(piece);
  };
  part(Math.min(bytes, lowerBound), 'in-use');
  part(Math.max(0, bytes - lowerBound), 'padding');
  made.setAttribute('role', 'img');
  made.setAttribute('aria-label', `${size(bytes)}, ${size(lowerBound)} of it the lower bound`);
  return made;
}

const traces = new Map();
for (const row of report.rows) traces.set(row.trace, [...(traces.get(row.trace) ?? []), row]);

let number = 0;
for (const [trace, rows] of traces) {
  const {lowerBound, operations, recordedPeak} = rows[0];
  const id = 'trace-' + number++;
  const place = make('div', null, 'table');
  place.id = id;
  place.tabIndex = 0;
  element('traces').append(make('h2', trace), place);
  const refused = rows.some(row => row.refused);
  const widest = Math.max(1, recordedPeak ?? 0, ...rows.map(row => row.peakReserved));
  const lines = rows.map(row => [row.layout, bar(row.peakReserved, lowerBound, widest), size(row.peakReserved), ratio(row.ratio), count(row.driverCalls),
    row.nanosPerOperation == null ? '–' : row.nanosPerOperation.toFixed(1), ...(refused ? [count(row.refused)] : [])]);
  if (recordedPeak != null) {
    lines.push(['what the trace recorded', bar(recordedPeak, lowerBound, widest), size(recordedPeak), ratio(lowerBound ? recordedPeak / lowerBound : null), '–', '–', ...(refused ? ['–'] : [])]);
  }
  table(id, `${counted(operations, 'operation')}; lower bound ${size(lowerBound)} (${count(lowerBound)} bytes)`,
      [' layout', ' peak reserved', 'bytes', 'overhead', 'driver calls', 'ns per operation', ...(refused ? ['refused'] : [])], lines);
}

if (traces.size > 1) {
  const layouts = new Map();
  for (const row of report.rows) layouts.set(row.layout, [...(layouts.get(row.layout) ?? []), row]);
  element('means-section').hidden = false;
  table('means-table', 'The geometric mean of the overhead, and the most driver calls on any trace', [' layout', 'traces', 'overhead', 'driver calls'],
      [...layouts].map(([layout, rows]) => {
        const ratios = rows.map(row => row.ratio).filter(value => value != null);
        const mean = Math.exp(ratios.reduce((sum, value) => sum + Math.log(value), 0) / ratios.length);
        return [layout, count(rows.length), ratio(ratios.length ? mean : null), count(Math.max(...rows.map(row => row.driverCalls)))];
      }));
}
