'use strict';
// Reports when a process ends which clocks, assert methods and builtins are not what they were at its start. It changes
// nothing. Each line of a report holds the name and the file of what stands there now.
try {
  const { writeFileSync } = require('fs');
  const { threadId } = require('worker_threads');
  const assert = require('assert');
  const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const own = `@REPORTS@/${process.pid}-${threadId}`;
  const quiet = ['constructor', 'caller', 'callee', 'arguments'];
  const first = [];
  const valueOf = (owner, key) => {
    const found = getOwnPropertyDescriptor(owner, key);
    return found === undefined ? undefined : found.get || found.value;
  };
  const watch = (label, owner, keys) => {
    for (const key of keys || getOwnPropertyNames(owner)) {
      const value = valueOf(owner, key);
      if (typeof value === 'function' && !quiet.includes(key)) {
        first.push({ name: label ? `${label}.${key}` : key, owner, key, value });
      }
    }
  };
  watch('', globalThis, ['Date', 'setTimeout', 'setInterval', 'isNaN', 'Number', 'String', 'Array', 'Object', 'Set', 'Map']);
  for (const name of ['Date', 'Object', 'Array', 'String', 'Number', 'Set', 'Map', 'Promise', 'RegExp']) {
    watch(name, globalThis[name]);
    watch(`${name}.prototype`, globalThis[name].prototype);
  }
  watch('JSON', JSON);
  watch('Math', Math);
  watch('process', process, ['hrtime']);
  watch('process.hrtime', process.hrtime, ['bigint']);
  watch('assert', assert);
  watch('assert.strict', assert.strict);
  // Inherited: what is put upon the object itself stands in front.
  const clock = globalThis.performance;
  const now = clock && clock.now;
  const zone = process.env.TZ;

  const place = (value) => {
    const urls = {};
    let url = '';
    const { Session } = require('inspector');
    const session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params }) => { urls[params.scriptId] = params.url; });
    session.post('Debugger.enable');
    const key = Symbol.for('@REPORTS@');
    globalThis[key] = value;
    session.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for("@REPORTS@")]' }, (_, found) => {
      const { objectId } = found.result;
      session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_, found) => {
        for (const one of found.internalProperties || []) {
          if (one.name === '[[FunctionLocation]]') url = urls[one.value.value.scriptId] || '';
        }
      });
    });
    delete globalThis[key];
    session.disconnect();
    return url.startsWith('file:') ? require('url').fileURLToPath(url) : url;
  };
  const placed = (value) => {
    try {
      return typeof value === 'function' ? place(value) : '';
    } catch {
      return '';
    }
  };

  writeFileSync(`${own}.start`, '');
  process.on('exit', () => {
    let lines = '';
    const note = (name, value) => { lines += `${name}\t${placed(value)}\t\n`; };
    for (let at = 0; at < first.length; at += 1) {
      const { name, owner, key, value } = first[at];
      const current = valueOf(owner, key);
      if (current !== value) note(name, current);
    }
    if (clock && globalThis.performance !== clock) note('performance', undefined);
    else if (clock && clock.now !== now) note('performance.now', clock.now);
    if (process.env.TZ !== zone) lines += 'TZ\t\t\n';
    writeFileSync(`${own}.end`, lines);
  });
} catch {
  // Without a report there is nothing to say.
}
