/** Serves the scripts and styles of a page. The build has bundled and compressed them. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type Request } from 'express';

/** A page with assets. Its folder below `assets` has the same name. */
type PageName = 'explorer' | 'api-page';

const folderOf = (page: PageName) =>
  fileURLToPath(new URL(`../../assets/${page}/`, import.meta.url));

/** Addresses of the script and the style of a page. */
export interface PageAssets {
  script: string;
  style: string;
}

/**
 * `/assets/{page}/{name}`. The names contain a hash of the content, so browsers keep the files.
 * The folder is read at the first request: commands need no pages.
 */
export function pageAssets(page: PageName): { router: Router; addresses: () => PageAssets } {
  const folder = folderOf(page);
  let names: Set<string> | undefined;
  const router = Router().get(`/assets/${page}/:name`, (req, res, next) => {
    const name = String(req.params['name']);
    names ??= new Set(readdirSync(folder).filter((file) => /\.(js|css)$/.test(file)));
    if (!names.has(name)) return next();
    const encoding = encodingFor(req);
    res
      .set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        ...(encoding && { 'Content-Encoding': encoding.name }),
      })
      .vary('Accept-Encoding')
      .type(extname(name))
      .sendFile(name + (encoding?.ending ?? ''), {
        root: folder,
        acceptRanges: false,
        cacheControl: false,
        lastModified: false,
      });
  });

  let addresses: PageAssets | undefined;
  const readAddresses = (): PageAssets => {
    const files = JSON.parse(readFileSync(`${folder}files.json`, 'utf8')) as PageAssets;
    const addressOf = (name: string) => `/assets/${page}/${name}`;
    return { script: addressOf(files.script), style: addressOf(files.style) };
  };
  return { router, addresses: () => (addresses ??= readAddresses()) };
}

/** Brotli is smaller, also if the browser names gzip first. */
function encodingFor(req: Request): { name: string; ending: string } | undefined {
  if (req.acceptsEncodings('br')) return { name: 'br', ending: '.br' };
  if (req.acceptsEncodings('gzip')) return { name: 'gzip', ending: '.gz' };
  return undefined;
}
