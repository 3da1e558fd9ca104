/** Small helpers to build and fill elements. Everything becomes text: nothing here parses markup. */

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * Makes an element.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `class` and others as attributes; functions as event listeners
 * @param {...(Node | string)} children strings become text
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children);
  return element;
}

/** Sets an element's text, and leaves it alone when it is the same: screen readers say a text again when it is set. */
export function text(element, value) {
  const next = String(value);
  if (element.textContent !== next) {
    element.textContent = next;
  }
}

/** Fills a description list with pairs of a name and a text or node. */
export function describe(list, pairs) {
  list.replaceChildren(
    ...pairs.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  );
}

/** A number of bytes for people. */
export function bytes(count) {
  if (count === null || count === undefined) {
    return 'not known';
  }
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let value = Number(count);
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${number(value, unit === 0 || value >= 100 ? 0 : 1)} ${units[unit]}`;
}

/** A number with at most so many digits behind the point. */
export function number(value, digits = 0) {
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** A duration for people: ms below ten seconds. */
export function duration(ms) {
  return ms < 10_000 ? `${number(Math.round(ms))} ms` : `${number(ms / 1000, 1)} s`;
}
