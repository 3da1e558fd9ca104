/** A small plot of one number over the last minutes: SVG, with its scale as text beside it. */

import { make, text } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600;
const HEIGHT = 100;

/** How far back a plot goes, in minutes: the shortest of these that holds all samples, and never more than the last. */
const MINUTES = [1, 2, 5];

/** A line is not drawn over a time in which nothing was heard. */
const GAP_MS = 5_000;

export class Plot {
  #name;
  #format;
  #ceiling;
  #samples = [];
  #svg = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', class: 'plot' });
  #area = svg('path', { class: 'plot-area' });
  #line = svg('path', { class: 'plot-line' });
  #top = make('span', { class: 'plot-top' });
  #left = make('span');

  /**
   * @param {Element} place where it is put
   * @param {string} name of the number
   * @param {(value: number) => string} format
   * @param {(highest: number) => number} ceiling what the plot's upper edge stands for
   */
  constructor(place, name, format, ceiling) {
    this.#name = name;
    this.#format = format;
    this.#ceiling = ceiling;
    const middle = svg('path', { class: 'plot-grid', d: `M0 ${HEIGHT / 2}H${WIDTH}` });
    this.#svg.append(middle, this.#area, this.#line);
    place.replaceChildren(
      this.#top,
      this.#svg,
      make(
        'div',
        { class: 'plot-time', 'aria-hidden': 'true' },
        this.#left,
        make('span', {}, 'now'),
      ),
    );
    this.draw(Date.now());
  }

  /**
   * Adds a sample.
   *
   * @param {number} time in ms since 1970
   * @param {number | null} value null when it is not known
   */
  add(time, value) {
    this.#samples.push({ time, value });
    while (this.#samples.length > 0 && this.#samples[0].time < time - MINUTES.at(-1) * 60_000) {
      this.#samples.shift();
    }
    this.draw(time);
  }

  /** Draws the plot as of a time. */
  draw(now) {
    const values = this.#samples.map((sample) => sample.value).filter((value) => value !== null);
    const top = this.#ceiling(Math.max(...values, 0));
    const minutes = this.#minutes(now);
    const runs = this.#runs(now, minutes * 60_000, top);
    this.#line.setAttribute('d', runs.map(line).join(''));
    this.#area.setAttribute('d', runs.map((run) => `${line(run)}V${HEIGHT}H${run[0].x}Z`).join(''));
    text(this.#top, this.#format(top));
    text(this.#left, `${minutes} min ago`);
    this.#svg.setAttribute(
      'aria-label',
      values.length === 0
        ? `${this.#name}: nothing heard yet`
        : `${this.#name} over the last ${minutes === 1 ? 'minute' : `${minutes} minutes`}: now ${this.#format(values.at(-1))}, ` +
            `at most ${this.#format(Math.max(...values))}`,
    );
  }

  #minutes(now) {
    const age = this.#samples.length === 0 ? 0 : now - this.#samples[0].time;
    return MINUTES.find((minutes) => age <= minutes * 60_000) ?? MINUTES.at(-1);
  }

  /** The points between gaps. */
  #runs(now, windowMs, top) {
    const runs = [];
    let before = -Infinity;
    for (const { time, value } of this.#samples) {
      if (value === null) {
        before = -Infinity;
        continue;
      }
      if (time - before > GAP_MS) {
        runs.push([]);
      }
      before = time;
      runs.at(-1).push({
        x: round(WIDTH * (1 - (now - time) / windowMs)),
        // Half a stroke off the edges, so that a line at the top or at zero is seen whole.
        y: round(HEIGHT - 1 - ((HEIGHT - 2) * value) / top),
      });
    }
    return runs;
  }
}

function line(run) {
  // A point alone is a line of no length, which round ends make visible.
  return `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}${run.length === 1 ? 'h0.01' : ''}`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/** Upper edges of 1, 2 and 5 times a power of ten, and of at least so much. */
export function roundSteps(least) {
  return (highest) => {
    const value = Math.max(highest, least);
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
  };
}

/** Upper edges of powers of two, and of at least so much. */
export function powersOfTwo(least) {
  return (highest) => 2 ** Math.ceil(Math.log2(Math.max(highest, least)));
}

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}
