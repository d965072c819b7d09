
// The page.

const data = JSON.parse(document.getElementById('data').textContent);
const {report, curves} = data;
function sums(differences) {
  let value = 0;
  return differences.map(difference => (value += difference) < 0 ? null : value);
}

const config = (stream, index) => report.pools.find(pool => pool.stream === stream && pool.index === index);

function poolName({stream, index}) {
  const pool = config(stream, index);
  if (!pool) return `stream ${stream}, pool ${index}`;
  const page = pool.config.page_size ?? pool.config.max_alloc_size;
  return `stream ${stream}, pool ${index} (${pool.type}${page ? ' ' + size(page) : ''})`;
}

// What was replayed.

element('trace').textContent = report.trace.replace(/^.*[/\\]/, '');
element('subject').textContent = `${report.trace} on device ${report.device}, layout ${report.layout}, alignment ${size(report.alignment)}, max page size ${size(report.maxPageSize)}`;
if (report.interrupted) {
  element('partial').hidden = false;
  element('partial').textContent = `Partial: the replay was interrupted. Figures and curves are of ${counted(report.operations, 'operation')}`
      + (data.moments.length ? '; the map may end before them.' : '; there is no map.');
}
for (const [name, value, note] of [
  ['peak reserved', size(report.peakReserved), count(report.peakReserved) + ' bytes'],
  ['peak in use', size(report.peakInUse), count(report.peakInUse) + ' bytes'],
  ['overhead', report.overhead?.toFixed(3) ?? '–', 'peak reserved / peak in use'],
  ['peak padding', size(report.peakPadding), count(report.peakPadding) + ' bytes'],
  ['recorded peak', report.recordedPeak == null ? null : size(report.recordedPeak), 'reserved by the recorded allocator'],
  ['recorded, not in rows', report.recordedUnseen ? size(report.recordedUnseen) : null, 'live throughout, part of the recorded peak'],
  ['driver calls', count(report.deviceAllocations + report.deviceFrees), `${counted(report.deviceAllocations, 'allocation')}, ${counted(report.deviceFrees, 'free')}`],
  ['operations', count(report.operations), `${counted(report.allocations, 'allocation')}, ${counted(report.frees, 'free')}`],
  ['refused', report.refused ? count(report.refused) : null, 'requests that could not be served'],
  ['skipped', report.skipped ? count(report.skipped) : null, 'bad rows'],
  ['spills', report.spills ? count(report.spills) : null, 'requests passed on by a full pool'],
]) {
  if (value == null) continue;
  const card = make('div');
  const shown = make('dd', value);
  shown.append(make('small', note));
  card.append(make('dt', name), shown);
  element('figures').append(card);
}

// The curves.

const rowsOf = Array.from({length: Math.ceil(curves.rows / curves.rowsPerBucket)},
    (_, i) => Math.min(curves.rows, (i + 1) * curves.rowsPerBucket));
let latest = 0;
const times = curves.times && sums(curves.times).map(time => latest = Math.max(latest, time ?? 0));
for (const series of curves.series) {
  series.values = sums(series.high);
  series.lows = series.low && sums(series.low);
  series.shown = true;
}
const DASHES = {padding: [4, 4], recorded: [10, 5]};
const hasMap = data.moments.length > 0;
let now = 0;
let axis = 'rows';
let curvesChart;
let freeChart;

const place = moment => axis === 'time' ? moment.time : moment.row;
const axisName = () => axis === 'time' ? 'time' : 'operations';
const axisText = value => axis === 'time' ? duration(value) : count(value);

function legendOf(id, series, hide) {
  element(id).replaceChildren(...series.map(one => {
    const label = make('label');
    const box = make('input');
    box.type = 'checkbox';
    box.checked = one.shown;
    box.addEventListener('change', () => { one.shown = box.checked; hide(); });
    const line = make('i', null, 'line');
    line.style.borderColor = `var(--${one.colour})`;
    line.style.borderTopStyle = one.dash ? 'dashed' : 'solid';
    one.text = make('span');
    label.append(box, line, one.name, one.text);
    return label;
  }));
}

function bucketOf(row) {
  return Math.min(rowsOf.length - 1, Math.max(0, Math.ceil(row / curves.rowsPerBucket) - 1));
}

const AT_MOMENT = {'reserved': 'reserved', 'in use': 'inUse', 'padding': 'padding'};

/** Tells the values at the pointer, or else at the moment of the map. */
function tellCurves(index) {
  const moment = hasMap ? data.moments[now] : null;
  for (const one of curves.series) {
    const value = index != null ? one.values[index]
        : moment && (moment[AT_MOMENT[one.name]] ?? one.values[bucketOf(moment.row)]);
    one.text.textContent = value == null ? `peak ${size(one.peak)}` : `${size(value)} (peak ${size(one.peak)})`;
  }
}

function drawCurves() {
  for (const one of curves.series) {
    one.colour = one.name.replace(/ /g, '-');
    one.dash = DASHES[one.name];
  }
  legendOf('curves-legend', curves.series, drawCurves);
  curvesChart = drawChart(element('curves-chart'), {
    xs: axis === 'time' ? times : rowsOf, xName: axisName(), xText: axisText,
    stepped: curves.rowsPerBucket === 1,
    series: curves.series.map(one => ({...one, low: one.lows, filled: one.name === 'in use'})),
    marked: () => hasMap ? place(data.moments[now]) : null,
    pointed: tellCurves,
  });
  tellCurves(null);
}

element('axis-choice').hidden = !times;
element('axis').addEventListener('change', event => { axis = event.target.value; draw(); });
element('curves-chart').setAttribute('aria-label', 'Curves over ' + counted(curves.rows, 'operation') + ': '
    + curves.series.map(one => `${one.name}, peak ${size(one.peak)} at operation ${count(one.peakRow)}`).join('; '));
element('curves-note').textContent = (curves.rowsPerBucket === 1 ? 'Every operation is a point.'
    : `A point is ${count(curves.rowsPerBucket)} operations: the line is their highest value, the shade reaches down to the lowest.`)
    + ' Drag to zoom, double click to go back.' + (hasMap ? ' The upright line is the moment of the map; a click sets it.' : '');
const every = Math.max(1, Math.ceil(rowsOf.length / 64));
table('curves-table', `Highest values in ${Math.ceil(rowsOf.length / every)} steps`,
    ['up to operation', ...(times ? ['time'] : []), ...curves.series.map(one => one.name)],
    rowsOf.flatMap((row, i) => {
      if (i % every !== every - 1 && i !== rowsOf.length - 1) return [];
      const from = i - i % every;
      const most = one => one.values.slice(from, i + 1).reduce((a, b) => a == null ? b : b == null ? a : Math.max(a, b), null);
      return [[count(row), ...(times ? [duration(times[i])] : []), ...curves.series.map(one => size(most(one)))]];
    }));

// The map, and what is free.

const momentText = ({row, time}) => `operation ${count(row)} of ${count(curves.rows)}` + (times ? `, ${duration(time)}` : '');
const freeSeries = [
  {name: 'free', values: data.moments.map(moment => moment.free), colour: 'padding', shown: true},
  {name: 'longest free stretch', values: data.moments.map(moment => moment.largestFree), colour: 'reserved', dash: [6, 4], shown: true},
];
let map;

function tellFree(index) {
  const at = index ?? now;
  for (const one of freeSeries) one.text.textContent = size(one.values[at]);
}

function drawFree() {
  legendOf('free-legend', freeSeries, drawFree);
  freeChart = drawChart(element('free-chart'), {
    xs: data.moments.map(place), xName: axisName(), xText: axisText,
    series: freeSeries, marked: () => place(data.moments[now]), pointed: tellFree,
  });
  tellFree(null);
}

function showMoment(index) {
  now = index;
  element('moment').value = index;
  const moment = data.moments[index];
  map.show(moment);
  const text = `${momentText(moment)}: ${size(moment.reserved)} reserved on ${counted(moment.pages, 'page')}, ${size(moment.inUse)} in use by ${counted(moment.slices, 'slice')}, `
      + `${size(moment.padding)} padding, ${size(moment.rest)} rest, ${size(moment.free)} free, longest free stretch ${size(moment.largestFree)}`;
  element('moment-text').textContent = text;
  element('moment').setAttribute('aria-valuetext', momentText(moment));
  element('map').setAttribute('aria-label', 'Map of pages and slices at ' + text);
  element('map-pointed').textContent = `A line is ${size(map.perLine)}; an upright mark begins a page. Point at a stretch to see what it is.`;
  if (element('pages-table').parentElement.open) tellPages();
  curvesChart.redraw(false);
  freeChart.redraw(false);
  tellCurves(null);
  tellFree(null);
}

function tellPages() {
  const moment = data.moments[now];
  const many = moment.groups.some(group => group.pages > 1);
  table('pages-table', momentText(moment) + (many ? '; small neighbours of one pool are one line' : ''),
      ['page', ' pool', ...(many ? ['pages'] : []), 'size', 'in use', 'slices', 'free', 'longest free stretch'],
      moment.groups.map(group => [count(group.number), group.pool < 0 ? 'none yet' : poolName(data.mapPools[group.pool]),
        ...(many ? [count(group.pages)] : []), size(group.byteSize), size(group.inUse), count(group.slices), size(group.free), size(group.largestFree)]));
}

function tellRun(run) {
  if (!run) return;
  const kind = run.sizeClass === FREE ? 'free' : run.sizeClass === REST ? 'rest of the page'
      : run.exact ? `a slice that takes ${size(run.byteSize)}` : `${counted(run.slices, 'slice')} and what is between: they take ${Math.round(run.taken * 100)} % of ${size(run.byteSize)}`;
  const where = run.group.pages > 1 ? `${count(run.group.pages)} pages from page ${run.group.number}` : `page ${run.group.number}`;
  element('map-pointed').textContent = `${kind}${run.sizeClass < 0 ? ', ' + size(run.byteSize) : ''}, at ${size(run.start - run.group.start)} of ${where} (${size(run.group.byteSize)}), `
      + (run.group.pool < 0 ? 'no pool yet' : poolName(data.mapPools[run.group.pool]))
      + (run.tag === NO_TAG ? '' : `, ${run.exact ? '' : 'most '}of ${data.tags[run.tag]}`);
}

function tellLegend() {
  element('map-legend').replaceChildren(...map.legend().map(({name, colour: shade}) => {
    const entry = make('span');
    const swatch = make('i', null, 'swatch');
    swatch.style.background = shade;
    entry.append(swatch, name);
    return entry;
  }));
}

const momentOf = row => data.moments.reduce((best, moment, i) => Math.abs(moment.row - row) < Math.abs(data.moments[best].row - row) ? i : best, 0);
const peakRow = name => curves.series.find(one => one.name === name).peakRow;

if (hasMap) {
  for (const moment of data.moments) Object.assign(moment, parts(moment, report.alignment, data.tags != null));
  map = new MapView(element('map'), data.moments, data.mapPools, data.tags ?? []);
  element('by-tag').hidden = data.tags == null;
  now = momentOf(peakRow('in use'));
  element('moment').max = data.moments.length - 1;
  element('moment').addEventListener('input', event => showMoment(Number(event.target.value)));
  element('to-reserved').addEventListener('click', () => showMoment(momentOf(peakRow('reserved'))));
  element('to-in-use').addEventListener('click', () => showMoment(momentOf(peakRow('in use'))));
  element('colours').addEventListener('change', event => { map.by = event.target.value; tellLegend(); showMoment(now); });
  element('map').addEventListener('mousemove', event => tellRun(map.runAt(event)));
  element('pages-table').parentElement.addEventListener('toggle', tellPages);
  element('curves-chart').addEventListener('click', () => {
    if (curvesChart.cursor.idx != null) showMoment(momentOf(rowsOf[curvesChart.cursor.idx]));
  });
  element('free-chart').setAttribute('aria-label', 'Free bytes and the longest free stretch at ' + data.moments.length + ' moments');
  table('moments-table', 'Moments of the map',
      ['operation', ...(times ? ['time'] : []), 'reserved', 'in use', 'padding', 'rest', 'free', 'longest free stretch', 'slices', 'pages'],
      data.moments.map(moment => [count(moment.row), ...(times ? [duration(moment.time)] : []), size(moment.reserved), size(moment.inUse), size(moment.padding),
        size(moment.rest), size(moment.free), size(moment.largestFree), count(moment.slices), count(moment.pages)]));
} else {
  for (const id of ['map-section', 'free-section', 'largest-section']) element(id).hidden = true;
}

// Tables.

const peakAt = hasMap ? data.moments[momentOf(peakRow('in use'))] : null;
const inPeak = (large, row) => large.firstRow <= row && (large.lastRow === 0 || large.lastRow > row);

/** A tag that opens its stack, if it has one. */
function origin({tag, stack}) {
  if (!stack) return tag ?? '–';
  const made = make('details');
  made.append(make('summary', tag), make('pre', stack));
  return made;
}

const told = data.largest.some(large => large.tag != null);
table('largest-table', `The ${data.largest.length} largest of ${count(report.allocations)} allocations; lifetimes are in operations` + (times ? ' and time' : ''),
    ['size', 'bytes', 'id', 'line', ' pool', 'from operation', 'to operation', 'lifetime', ...(times ? ['time'] : []), ' live at peak in use', ...(told ? [' from'] : [])],
    data.largest.map(large => [size(large.size), count(large.size), String(large.id), count(large.line), poolName(data.mapPools[large.pool]), count(large.firstRow),
      large.lastRow ? count(large.lastRow) : 'the end', count((large.lastRow || curves.rows) - large.firstRow),
      ...(times ? [large.lastRow ? duration(large.lastTime - large.firstTime) : '–'] : []), inPeak(large, peakRow('in use')) ? 'yes' : 'no', ...(told ? [origin(large)] : [])]));

table('pools-table', 'Pools that were of use; the rest served nothing',
    ['stream', 'pool', ' kind', 'page', 'slice up to', 'pages at the end', 'pages, most', 'served', 'largest', 'in use, most', 'reserved, most', 'reserved at the end', 'driver calls', 'spills'],
    report.pools.flatMap((pool, i) => {
      const peaks = data.poolPeaks[i];
      if (!pool.served && !pool.pagesPeak && !pool.spills) return [];
      return [[String(pool.stream), String(pool.index), pool.type, size(pool.config.page_size ?? pool.config.max_alloc_size), size(pool.config.max_slice_size), count(pool.pages),
        count(pool.pagesPeak), count(pool.served), size(pool.largestAlloc), size(peaks.inUse), size(peaks.reserved), size(pool.reserved), count(peaks.driverAllocations + peaks.driverFrees), count(pool.spills)]];
    }));

const sum = (pools, value) => pools.reduce((total, pool) => total + value(pool), 0);
table('streams-table', peakAt ? `Each stream has pools of its own; the peak in use is at operation ${count(peakAt.row)}` : 'Each stream has pools of its own',
    ['stream', 'pools used', 'served', 'driver calls', ...(peakAt ? ['reserved at the peak in use', 'in use then'] : []), 'reserved at the end', 'in use at the end'],
    [...new Set(report.pools.map(pool => pool.stream))].map(stream => {
      const pools = report.pools.map((pool, i) => ({...pool, peaks: data.poolPeaks[i]})).filter(pool => pool.stream === stream);
      const groups = peakAt ? peakAt.groups.filter(group => group.pool >= 0 && data.mapPools[group.pool].stream === stream) : [];
      return [String(stream), count(pools.filter(pool => pool.served).length), count(sum(pools, pool => pool.served)),
        count(sum(pools, pool => pool.peaks.driverAllocations + pool.peaks.driverFrees)),
        ...(peakAt ? [size(sum(groups, group => group.byteSize)), size(sum(groups, group => group.inUse))] : []),
        size(sum(pools, pool => pool.reserved)), size(sum(pools, pool => pool.inUse))];
    }));

// Drawn again where the room or the colours change.

function draw() {
  drawCurves();
  if (hasMap) {
    tellLegend();
    drawFree();
    showMoment(now);
  }
}

draw();
let width = document.body.clientWidth;
addEventListener('resize', () => {
  if (document.body.clientWidth !== width) {
    width = document.body.clientWidth;
    draw();
  }
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
document.documentElement.dataset.openedMillis = Math.round(performance.now());
