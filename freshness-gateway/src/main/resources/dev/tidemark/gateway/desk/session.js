/**
 * Who is signed in. The token lives in this tab's sessionStorage and nowhere else; its claims are decoded here to be
 * shown only: what they allow is decided by the gateway.
 */

/** Where this tab keeps the token. */
export const TOKEN_KEY = 'tidemark.desk.token';

/**
 * @typedef {object} Session
 * @property {string} token
 * @property {string} subject
 * @property {string} tenant
 * @property {string[]} roles
 * @property {number} expiresAt in ms since 1970
 */

/** A text that is no usable token; the message says why and what to do. */
export class TokenError extends Error {}

/**
 * Reads a token's claims.
 *
 * @param {string} pasted a JWT, perhaps with `Bearer` before it and white space around it
 * @returns {Session}
 * @throws {TokenError}
 */
export function decode(pasted) {
  const token = pasted.trim().replace(/^(Authorization:\s*)?Bearer\s+/i, '');
  if (token === '') {
    throw new TokenError('Paste a token first.');
  }
  const parts = token.split('.');
  if (parts.length !== 3 || !/^[A-Za-z0-9_.-]+$/.test(token)) {
    throw new TokenError('This is not a whole token: a token is one line of three parts with dots between them.');
  }
  let claims;
  try {
    claims = JSON.parse(utf8(parts[1]));
  } catch {
    throw new TokenError('The middle part of this token can’t be read. Copy the whole token again.');
  }
  const expiresAt = Number(claims.exp) * 1000;
  if (!Number.isFinite(expiresAt)) {
    throw new TokenError('This token never expires (it has no claim exp), and the gateway takes no such token.');
  }
  return {
    token,
    subject: String(claims.sub ?? ''),
    tenant: String(claims.tenant ?? ''),
    roles: Array.isArray(claims.roles) ? claims.roles.map(String) : [],
    expiresAt,
  };
}

/** Why a session has ended; undefined while it has not. */
export function ended(session, now = Date.now()) {
  return session.expiresAt <= now
    ? `This token expired on ${moment(session.expiresAt)}. Get a new one and paste it here.`
    : undefined;
}

/** A moment in the reader's own time zone, with its name. */
export function moment(ms) {
  return new Date(ms).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
}

/** The session of this tab before it was reloaded; undefined when there was none or it has ended. */
export function restore() {
  try {
    const session = decode(sessionStorage.getItem(TOKEN_KEY) ?? '');
    return ended(session) ? undefined : session;
  } catch {
    return undefined;
  }
}

/** @param {Session} session */
export function keep(session) {
  sessionStorage.setItem(TOKEN_KEY, session.token);
}

/** Forgets the token and everything else that this tab kept. */
export function forget() {
  sessionStorage.clear();
}

function utf8(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
}
