/** Serves the scripts, styles and pictures of the pages. The build has compressed them. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';

const folder = new URL('../../assets/', import.meta.url);

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

/** The contents of files by their names. */
const kept = new Map<string, Buffer>();

/**
 * Answers with a file, which is kept from its first request on: all have a few megabytes. So a
 * client that does not read holds no open file, and no memory of its own.
 * @param unpack for a file of which only the compressed content is stored
 */
function send(res: Response, name: string, unpack?: (stored: Buffer) => Buffer): void {
  const key = unpack ? `${name} unpacked` : name;
  let content = kept.get(key);
  if (!content) {
    const stored = readFileSync(new URL(name, folder));
    kept.set(key, (content = unpack ? unpack(stored) : stored));
  }
  res.set('Content-Length', String(content.length)).end(content);
}

const SHARED = ['pages.css', 'icon.svg', 'harbour.svg', 'contours.svg'];

/** File name → hash of its content. Read at the first request: commands need no pages. */
let etags: { [name: string]: string } | undefined;
const readEtags = () =>
  (etags ??= JSON.parse(readFileSync(new URL('etags.json', folder), 'utf8')) as {
    [name: string]: string;
  });

/** Answers with a file that all pages share. Other names go to the next handler. */
const sharedAsset: RequestHandler = (req, res, next) => {
  const name = String(req.params['name']);
  if (!SHARED.includes(name)) return next();
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
  send(res, name + ENDINGS[encoding ?? 'gzip'], encoding ? undefined : gunzipSync);
};

/** The application, the explorer and the API page. Each has a folder below `assets`. */
const BUNDLES = ['web', 'explorer', 'api-page'] as const;
type Bundle = (typeof BUNDLES)[number];

/** The licences of the packages in a bundle. The name has no hash. */
const LICENCES = 'LICENCES.txt';

/**
 * Answers with a file of a bundle. Its name has the hash of its content, so it never changes.
 * Other names go to the next handler.
 */
function bundled(bundle: Bundle): RequestHandler {
  const place = new URL(`${bundle}/`, folder);
  let files: ReadonlySet<string> | undefined;
  return (req, res, next) => {
    // Read at the first request, for the same reason.
    files ??= new Set(readdirSync(place, { recursive: true, encoding: 'utf8' }));
    const known = files;
    const name = [req.params['path']].flat().join('/');
    const isPacked = known.has(name + ENDINGS.gzip);
    if (!(isPacked && /\.(js|mjs|css)$/.test(name)) && name !== LICENCES) return next();
    const encoding = encodingFor(req, () => isPacked);
    res
      .set({
        'Cache-Control':
          name === LICENCES ? 'public, max-age=3600' : 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        ...(encoding && { 'Content-Encoding': encoding }),
      })
      .vary('Accept-Encoding')
      .type(extname(name));
    const ending = isPacked ? ENDINGS[encoding ?? 'gzip'] : '';
    send(res, `${bundle}/${name}${ending}`, isPacked && !encoding ? gunzipSync : undefined);
  };
}

/** All files below `/assets`. */
export const pageAssets = Router().get('/assets/:name', sharedAsset);
for (const bundle of BUNDLES) pageAssets.get(`/assets/${bundle}/*path`, bundled(bundle));

/** Addresses of the script and the style of a page. */
export interface PageAddresses {
  script: string;
  style: string;
}

/** The build lists the names of a page's files. */
export function addressesOf(page: 'explorer' | 'api-page'): PageAddresses {
  const list = readFileSync(new URL(`${page}/files.json`, folder), 'utf8');
  const { script, style } = JSON.parse(list) as PageAddresses;
  return { script: `/assets/${page}/${script}`, style: `/assets/${page}/${style}` };
}
