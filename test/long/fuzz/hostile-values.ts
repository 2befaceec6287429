/** Values that a storage should never send. */
import type { Random } from '../crash/random.js';

export const oneOf = <T>(random: Random, list: readonly T[]): T =>
  list[random.integer(list.length)]!;

/** Long enough that an algorithm of quadratic cost does not end. */
const LONG = 200_000;

const texts: readonly (() => string)[] = [
  () => '',
  () => ' ',
  () => '\0',
  () => '\ud800',
  () => '\udc00a',
  () => '\ufeff',
  () => 'null',
  () => '0',
  () => '-1',
  () => '1e400',
  () => '9'.repeat(400),
  () => '999999999999999999999',
  () => '..',
  () => '../..',
  () => 'files/../../x',
  () => '/',
  () => '//',
  () => 'a/',
  () => '%',
  () => '%ff',
  () => '%2e%2e%2f',
  () => '%00',
  () => 'root',
  () => 'Root',
  () => 'root:',
  () => '/drive/root:/%',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => '<a>',
  () => ']]>',
  () => '&lt;',
  () => '"',
  () => 'application/x-op-directory',
  () => '\r\nx: y',
  () => 'https://evil.example/',
  () => 'http://169.254.169.254/latest',
  () => 'javascript:alert(1)',
  () => 'file:///etc/passwd',
  () => 'https://',
  () => 'https://[',
  () => '//evil.example',
  () => '2026-01-01T00:00:00Z',
  () => '+275760-09-13T00:00:00.001Z',
  () => '-000001-01-01T00:00:00Z',
  () => 'Infinity',
  () => 'NaN',
  () => 'x'.repeat(LONG),
  () => `${'/'.repeat(LONG)}a`,
  () => 'a/'.repeat(20_000),
  () => `files/${'a/'.repeat(12_000)}`,
  () => '\u0000'.repeat(300),
  () => '🎉'.repeat(300),
];

/** Values that broke adapters before, or probably would. They are drawn more often. */
const sharpTexts: readonly (() => string)[] = [
  () => '\ud800',
  () => '..',
  () => '%',
  () => '9'.repeat(400),
  () => `/${'a/'.repeat(9_000)}b`,
  () => `/drive/root:/${'a/'.repeat(9_000)}b`,
  () => `files/${'/'.repeat(60_000)}a`,
  () => 'http://127.0.0.1/ä b',
];
const sharpJson: readonly (() => string)[] = [
  () => '{"toString":1,"valueOf":1}',
  () => '1e400',
  () => '"\\ud800"',
  () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
];

export const hostileText = (random: Random): string =>
  oneOf(random, random.integer(3) === 0 ? sharpTexts : texts)();

/** JSON as text, because some of it cannot be written from a value. */
const json: readonly (() => string)[] = [
  () => 'null',
  () => 'true',
  () => 'false',
  () => '0',
  () => '-0',
  () => '-1',
  () => '0.5',
  () => '1e308',
  () => '1e400',
  () => '-1e400',
  () => '9007199254740993',
  () => '9'.repeat(400),
  () => '8640000000001',
  () => '[]',
  () => '{}',
  () => '[[]]',
  () => '[null]',
  () => '{"":null}',
  () => '{"__proto__":{"statuscode":200}}',
  () => '{"constructor":1,"hasOwnProperty":1}',
  () => '{"toString":1,"valueOf":1}',
  () => '{"toString":null}',
  () => '[{"toString":1,"valueOf":1}]',
  () => '{"toJSON":1}',
  () => '{"then":1}',
  () => '{"length":4294967295}',
  () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  () => `[${'1,'.repeat(20_000)}1]`,
  () => '"\\ud800"',
  () => '"\\u0000"',
  () => '200',
  () => '404',
  () => '403',
  () => '401',
  () => '429',
  () => '503',
  () => '996',
  () => '997',
  () => '998',
  () => '100',
];

export const hostileJson = (random: Random): string =>
  random.integer(3) === 0
    ? JSON.stringify(hostileText(random))
    : oneOf(random, random.integer(3) === 0 ? sharpJson : json)();

export const xmlEscaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text for XML, without escaping. */
export const hostileXml: readonly (() => string)[] = [
  () => '&nbsp;',
  () => '&unknown;',
  () => '&#0;',
  () => '&#xD800;',
  () => '&#x110000;',
  () => '&#99999999999;',
  () => '&amp',
  () => '&',
  () => '<',
  () => ']]>',
  () => '<![CDATA[',
  () => '<![CDATA[x]]>',
  () => '<!--',
  () => '<!-- - -->',
  () => '<?xml version="1.0"?>',
  () => '<?php ?>',
  () => '<a',
  () => '</a>',
  () => '<a/>',
  () => '<__proto__>x</__proto__>',
  () => '<toString>1</toString><valueOf>1</valueOf>',
  () => '<hasOwnProperty/>',
  () => '<d:response/>',
  () => '<d:response>text</d:response>',
  () => '<d:propstat>text</d:propstat>',
  () => '<d:href/>',
  () => '<d:href><d:href/></d:href>',
  () => '<d:multistatus/>',
  () => '<d:multistatus>x</d:multistatus>',
  () => '<a>'.repeat(5_000),
  () => `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`,
  () => '<a b="',
  () => `<a ${'b="1" '.repeat(2_000)}/>`,
  () => '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;&x;&x;&x;&x;&x;">]>',
  () => '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
  () => '<!DOCTYPE',
  () => '\0',
  () => '\ufffe',
];

/** Values of `Retry-After`. */
export const waits: readonly string[] = [
  '0',
  '0.001',
  '1',
  '60',
  '999999999999',
  '9'.repeat(400),
  '-1',
  '',
  ' ',
  'soon',
  'NaN',
  'Infinity',
  '1e3',
  '1, 2',
  '0x10',
  '1.',
  '.5',
  'Fri, 20 Nov 2026 16:31:47 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  '2026-13-45',
  `${' '.repeat(5_000)}x`,
];

export const mediaTypes: readonly string[] = [
  '',
  'text/html',
  'text/plain',
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/problem+json',
  'application/xml',
  'application/octet-stream',
  'json',
  ';',
  'multipart/mixed',
  'text/html; note=json',
];

export const statuses: readonly number[] = [
  100, 200, 201, 202, 204, 206, 207, 301, 302, 303, 304, 400, 401, 402, 403, 404, 405, 409, 410,
  412, 415, 418, 423, 424, 428, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 599,
];
