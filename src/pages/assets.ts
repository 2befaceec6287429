/** Serves the scripts, styles and pictures of the pages. The build has compressed them. */
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Router, type Request, type RequestHandler } from 'express';

const folder = new URL('../../assets/', import.meta.url);
const webFolder = new URL('web/', folder);

/** Encodings, the best one first, with the endings of their files. Most browsers name `gzip` first. */
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENDINGS;

const encodingFor = (
  req: Request,
  isStored: (encoding: Encoding) => boolean,
): Encoding | undefined =>
  (Object.keys(ENDINGS) as Encoding[]).find(
    (encoding) => isStored(encoding) && req.acceptsEncodings(encoding) === encoding,
  );

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
    const encoding = encodingFor(req, () => true);
    // Each encoding is a separate representation, so it needs another ETag (RFC 9110, 8.8.3).
    const etag = `"${readEtags()[name]}-${encoding ?? 'identity'}"`;
    res
      .set({
        'Cache-Control': 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
        ETag: etag,
      })
      .vary('Accept-Encoding')
      .type(extname(name));
    if (req.headers['if-none-match'] === etag) return void res.status(304).end();
    if (encoding) res.set('Content-Encoding', encoding);
    if (req.method === 'HEAD') return void res.end();
    const file = createReadStream(new URL(name + ENDINGS[encoding ?? 'gzip'], folder));
    const done = (error: unknown) => error && next(error);
    if (encoding) pipeline(file, res, done);
    else pipeline(file, createGunzip(), res, done);
  };

/** The files of the web application. Read at the first request, for the same reason. */
let webFiles: ReadonlySet<string> | undefined;
const readWebFiles = () =>
  (webFiles ??= new Set(readdirSync(webFolder, { recursive: true, encoding: 'utf8' })));

/**
 * Answers with a file of the web application. Its name has the hash of its content, so it never
 * changes. Other names go to the next handler.
 */
const webAsset: RequestHandler = (req, res, next) => {
  const name = [req.params['path']].flat().join('/');
  const files = readWebFiles();
  if (extname(name) === '' || !files.has(name)) return next();
  const encoding = encodingFor(req, (one) => files.has(name + ENDINGS[one]));
  res
    .set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      ...(encoding && { 'Content-Encoding': encoding }),
    })
    .vary('Accept-Encoding')
    .type(extname(name));
  if (req.method === 'HEAD') return void res.end();
  const file = createReadStream(new URL(name + (encoding ? ENDINGS[encoding] : ''), webFolder));
  pipeline(file, res, (error) => error && next(error));
};

/** The files that all pages share, and those of the web application. */
export const pageAssets = Router()
  .get('/assets/web/*path', webAsset)
  .get('/assets/:name', asset('pages.css', 'icon.svg', 'harbour.svg', 'contours.svg'));
