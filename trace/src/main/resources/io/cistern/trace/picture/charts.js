
const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

// Charts of bytes, over a row or a time.

function byteSteps(max) {
  let step = 1;
  while (max / step > 5) step *= 2;
  const splits = [];
  for (let at = 0; at <= max; at += step) splits.push(at);
  return splits;
}

/**
 * Draws curves.
 * place: the element; series: {name, colour, values, low, dash, shown, filled}; xs: their places, ascending;
 * marked(): where the moment of the map is; pointed(index): the pointer is there, or nowhere (null).
 */
function drawChart(place, {xs, xName, xText, series, stepped, marked, pointed}) {
  const data = [xs];
  const lines = [{}];
  const bands = [];
  for (const one of series) {
    const stroke = colour(one.colour);
    data.push(one.values);
    lines.push({
      label: one.name, stroke, width: 2, dash: one.dash, show: one.shown,
      fill: one.filled ? stroke + '40' : undefined, points: {show: false},
      paths: stepped ? uPlot.paths.stepped({align: 1}) : undefined,
    });
    if (one.low) {
      data.push(one.low);
      lines.push({label: one.name + ', lowest', show: one.shown, width: 0, points: {show: false}});
      bands.push({series: [lines.length - 2, lines.length - 1], fill: stroke + '30'});
    }
  }
  const axis = {stroke: colour('faint'), grid: {stroke: colour('line'), width: 1}, ticks: {stroke: colour('line'), width: 1}, labelSize: 22, labelFont: '12px system-ui, sans-serif', font: '12px system-ui, sans-serif'};
  place.replaceChildren();
  const chart = new uPlot({
    width: place.clientWidth, height: 250, legend: {show: false}, bands, series: lines,
    padding: [8, 40, 0, 0],
    cursor: {points: {show: false}},
    scales: {x: {time: false}, y: {range: (u, low, high) => [0, (high || 1) * 1.04]}},
    axes: [
      {...axis, size: 34, space: 100, label: xName, values: (u, splits) => splits.map(xText)},
      {...axis, size: 76, label: 'memory', values: (u, splits) => splits.map(size), splits: (u, i, low, high) => byteSteps(high)},
    ],
    hooks: {
      setCursor: [u => pointed(u.cursor.idx)],
      draw: [u => {
        const at = marked();
        if (at == null) return;
        const x = Math.round(u.valToPos(at, 'x', true));
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
        u.ctx.fillStyle = colour('text');
        u.ctx.fillRect(x - 1, u.bbox.top, 2, u.bbox.height);
      }],
    },
  }, data, place);
  return chart;
}
