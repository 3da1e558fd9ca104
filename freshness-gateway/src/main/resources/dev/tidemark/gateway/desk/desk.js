/** The Desk: signing in, and which page is shown. */

import { byId, describe, text } from './dom.js';
import { clear, problemOf, ProblemError, show, unanswered } from './problems.js';
import * as replication from './replication.js';
import { decode, ended, forget, keep, moment, restore, TOKEN_KEY, TokenError } from './session.js';
import { FreshClient, TokenJar } from './tidemark.js';
import * as waybill from './waybill.js';

const PAGES = { waybill, replication };
const TITLES = { waybill: 'Waybill', replication: 'Replication' };

/** Everything is asked of the gateway that the page came from, also behind a proxy with a path of its own. */
const API = new URL('../api/', import.meta.url);

/** Where this tab keeps the positions of its writes. */
const JAR_KEY = 'tidemark.desk.positions';

/** The longest time that setTimeout takes, in ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

let session;
let current;
let expiry;

/** What the pages may use of the rest. */
const context = {
  api: API,
  get session() {
    return session;
  },
  client: undefined,
  /** Shows an error in a region, or asks to sign in again when the token is refused. */
  fail(region, failure, ...actions) {
    const error = unanswered(failure);
    if (error.status === 401) {
      expired(`${error.problem.title}. ${error.problem.detail}`);
    } else {
      show(region, error, ...actions);
    }
  },
  expired,
};

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  signIn(byId('token').value);
});
byId('token').addEventListener('keydown', (event) => {
  // A token is one line, so Enter can mean what it means in other fields.
  if (event.key === 'Enter') {
    event.preventDefault();
    signIn(byId('token').value);
  }
});
byId('sign-out').addEventListener('click', () => {
  forget();
  startAnew();
});
document.querySelector('.skip').addEventListener('click', (event) => {
  // The address names the page, so it is not for places within one.
  event.preventDefault();
  byId('main').focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && byId('account').open) {
    byId('account').open = false;
    byId('account').querySelector('summary').focus();
  }
});
document.addEventListener('click', (event) => {
  if (!byId('account').contains(event.target)) {
    byId('account').open = false;
  }
});
addEventListener('hashchange', () => route(true));

const restored = restore();
if (restored) {
  begin(restored);
} else {
  askToSignIn();
}

async function signIn(pasted) {
  const field = byId('token');
  const button = byId('sign-in-button');
  clear(byId('sign-in-problem'));
  field.removeAttribute('aria-invalid');
  button.disabled = true;
  try {
    const next = decode(pasted);
    const over = ended(next);
    if (over) {
      throw new TokenError(over);
    }
    await check(next);
    field.value = '';
    keep(next);
    if (session && (session.subject !== next.subject || session.tenant !== next.tenant)) {
      // Somebody else: nothing of the person before may stay on the page.
      sessionStorage.removeItem(JAR_KEY);
      startAnew();
      return;
    }
    begin(next, true);
  } catch (failure) {
    const error =
      failure instanceof TokenError
        ? new ProblemError({ title: 'Not signed in', detail: failure.message }, 401)
        : unanswered(failure);
    field.setAttribute('aria-invalid', 'true');
    show(byId('sign-in-problem'), error);
    field.focus();
  } finally {
    button.disabled = false;
  }
}

/** Has the gateway look at the token. */
async function check({ token }) {
  const problem = await problemOf(
    await fetch(new URL('sync/status', API), { headers: { Authorization: `Bearer ${token}` }, cache: 'no-store' }),
  );
  // What the status lacks is shown on its page; here it only matters whether the token holds.
  if (problem && problem.status !== 503) {
    throw problem;
  }
  if (problem?.is('issuer-unavailable')) {
    throw problem;
  }
}

function begin(next, announced) {
  session = next;
  context.client = new FreshClient({
    base: API,
    jar: new TokenJar({ storage: sessionStorage, key: JAR_KEY }),
    token: () => session.token,
  });
  byId('page-sign-in').hidden = true;
  byId('nav').hidden = false;
  byId('account').hidden = false;
  text(byId('account-name'), session.tenant || session.subject);
  describe(byId('account-facts'), [
    ['Subject', session.subject],
    ['Tenant', session.tenant],
    ['Roles', session.roles.join(', ') || 'none'],
    ['Expires', moment(session.expiresAt)],
  ]);
  watchExpiry();
  route(announced);
}

/** Loads the page again, with nothing of what it showed or was addressed by. */
function startAnew() {
  history.replaceState(null, '', location.pathname);
  location.reload();
}

function watchExpiry() {
  clearTimeout(expiry);
  expiry = setTimeout(
    () => {
      const over = ended(session);
      if (over) {
        expired(over);
      } else {
        watchExpiry();
      }
    },
    Math.min(session.expiresAt - Date.now() + 100, LONGEST_TIMER_MS),
  );
}

/** The token no longer holds: what is on the pages stays for the same person. */
function expired(reason) {
  clearTimeout(expiry);
  sessionStorage.removeItem(TOKEN_KEY);
  leave();
  const notice = byId('sign-in-notice');
  text(notice, `${reason} What you have typed is kept until you sign in again.`);
  notice.hidden = false;
  askToSignIn();
  byId('token').focus();
}

function askToSignIn() {
  document.title = 'Sign in · Tidemark Desk';
  byId('nav').hidden = true;
  byId('account').hidden = true;
  byId('page-sign-in').hidden = false;
}

function leave() {
  if (current) {
    PAGES[current].leave();
    byId(`page-${current}`).hidden = true;
    current = undefined;
  }
}

/** Shows the page that the address names. */
function route(moveFocus) {
  if (byId('nav').hidden) {
    return;
  }
  const [, name, ...rest] = location.hash.split('/');
  const next = Object.hasOwn(PAGES, name) ? name : 'waybill';
  if (next !== current) {
    leave();
    current = next;
    byId(`page-${next}`).hidden = false;
    document.title = `${TITLES[next]} · Tidemark Desk`;
    for (const link of byId('nav').querySelectorAll('a')) {
      if (link.dataset.page === next) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
    }
    if (moveFocus) {
      byId(`${next}-title`).focus();
    }
  }
  byId('sign-in-notice').hidden = true;
  PAGES[next].enter(context, rest.join('/'));
}
