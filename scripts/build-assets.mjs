/**
 * Writes `assets/`: what the pages of the service, the explorer and the API page need, compressed. Browsers
 * get these files unchanged, so the service needs neither compression nor the libraries.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

const folder = new URL('../assets/', import.meta.url);
const require = createRequire(import.meta.url);

/** The library renders one document with inline scripts, which would need a weaker content security policy. */
const html = renderGraphiQL({
  title: 'Moorage',
  endpoint: '/graphql',
  subscriptionsEndpoint: '/graphql/stream',
  subscriptionsProtocol: 'GRAPHQL_SSE',
});
const between = (start, end, at) => html.slice(html.indexOf(start) + start.length, at);
const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url));
/** The pages and the application have the same colours and sizes. */
const pageStyle = transformSync(
  source('web/src/styles/tokens.css').toString() + source('src/pages/static/pages.css').toString(),
  { loader: 'css', minify: true },
).code;
const swagger = (name) => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

const files = {
  'pages.css': Buffer.from(pageStyle),
  'icon.svg': source('src/pages/static/icon.svg'),
  'harbour.svg': source('src/pages/static/harbour.svg'),
  'contours.svg': source('src/pages/static/contours.svg'),
  'explorer.css': Buffer.from(between('<style>', '</style>', html.indexOf('</style>'))),
  'explorer.js': Buffer.from(between('<script>', '</script>', html.lastIndexOf('</script>'))),
  'swagger-ui.css': swagger('swagger-ui.css'),
  'swagger-ui-bundle.js': swagger('swagger-ui-bundle.js'),
};
const etags = Object.fromEntries(
  Object.entries(files).map(([name, body]) => [
    name,
    createHash('sha256').update(body).digest('hex').slice(0, 32),
  ]),
);
const list = `${JSON.stringify(etags, null, 2)}\n`;
const listFile = new URL('etags.json', folder);

// The list is written last, so a folder with the right list is complete. The application is below it
// too: nothing is removed.
if (!existsSync(listFile) || readFileSync(listFile, 'utf8') !== list) {
  mkdirSync(folder, { recursive: true });
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(new URL(`${name}.gz`, folder), gzipSync(body, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(body, { params }));
  }
  writeFileSync(listFile, list);
}
