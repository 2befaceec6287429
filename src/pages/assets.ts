/** Serves the scripts and styles of the pages. The build has compressed them. */
import { createReadStream, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const folder = new URL('../../assets/', import.meta.url);

/** File name → hash of its content. Read at the first request: commands need no pages. */
let etags: { [name: string]: string } | undefined;
const readEtags = () =>
  (etags ??= JSON.parse(readFileSync(new URL('etags.json', folder), 'utf8')) as {
    [name: string]: string;
  });

/** Answers `…/:name` with one of the files. Other names go to the next handler. */
export const asset =
  (...names: string[]): RequestHandler =>
  (req, res, next) => {
    const name = String(req.params['name']);
    if (!names.includes(name)) return next();
    const encoding = req.acceptsEncodings(['br', 'gzip', 'identity']) || 'identity';
    // Each encoding is a separate representation, so it needs another ETag (RFC 9110, 8.8.3).
    const etag = `"${readEtags()[name]}-${encoding}"`;
    res
      .set({
        'Cache-Control': 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
        ETag: etag,
      })
      .vary('Accept-Encoding')
      .type(extname(name));
    if (req.headers['if-none-match'] === etag) return void res.status(304).end();
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    if (req.method === 'HEAD') return void res.end();
    const file = createReadStream(new URL(`${name}.${encoding === 'br' ? 'br' : 'gz'}`, folder));
    const done = (error: unknown) => error && next(error);
    if (encoding === 'identity') pipeline(file, createGunzip(), res, done);
    else pipeline(file, res, done);
  };
