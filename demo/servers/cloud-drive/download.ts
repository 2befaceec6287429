/** Where `/content` redirects to: an address that needs no token, for an hour. */
import { header, type Call, type Reply } from './exchange.js';
import type { Item } from './items.js';
import type { Tenant } from './tenant.js';

export const DOWNLOAD_PATH = '/sites/team/_layouts/15/download.aspx';
const LIFE_SECONDS = 3600;

export function downloadUrl(tenant: Tenant, item: Item): string {
  const now = Math.floor(tenant.now() / 1000);
  const tempauth = tenant.seal({
    aud: '00000003-0000-0ff1-ce00-000000000000',
    nbf: now,
    exp: now + LIFE_SECONDS,
    id: item.id,
  });
  return `${tenant.url}${DOWNLOAD_PATH}?${new URLSearchParams({ UniqueId: item.guid, Translate: 'false', tempauth, ApiVersion: '2.0' }).toString()}`;
}

export function download(tenant: Tenant, call: Call): Reply {
  const grant = tenant.unseal(call.query.get('tempauth') ?? '');
  if (!grant || grant.exp * 1000 <= tenant.now()) return { status: 401, headers: {}, content: '' };
  const item = tenant.items.byId(grant.id);
  if (!item || item.guid !== call.query.get('UniqueId'))
    return { status: 404, headers: {}, content: '' };
  const headers = {
    'Content-Type': item.mimeType,
    'Accept-Ranges': 'bytes',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'private',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(item.name)}`,
  };
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header(call, 'range') ?? '');
  if (!asked || asked[0] === 'bytes=-')
    return {
      status: 200,
      headers: { ...headers, 'Content-Length': String(item.content.length) },
      content: item.content,
    };
  return part(item.content, headers, asked[1]!, asked[2]!);
}

/** @param from @param to decimal; an empty `from` asks for the last `to` bytes */
function part(content: Buffer, headers: Reply['headers'], from: string, to: string): Reply {
  const size = content.length;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end)
    return { status: 416, headers: { 'Content-Range': `bytes */${size}` }, content: '' };
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${size}` },
    content: content.subarray(start, end + 1),
  };
}
