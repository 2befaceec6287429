/** The files of the slow file server: it has one for every id. */
export const FIRST_FILE = 1_000_000;
/** Any token is accepted. */
export const ACCESS_TOKEN = 'token';

/** @param generation changes the name */
export const nameOf = (id: string, generation: number) => `drawing ${id} as of ${generation}.pdf`;

export const fileAt = (id: string, generation: number) => ({
  status: 'OK',
  statuscode: 200,
  id: Number(id),
  name: nameOf(id, generation),
  mtime: 1_780_000_000,
  ctime: 1_770_000_000,
  mimetype: 'application/pdf',
  size: 123_456,
  owner_name: 'Mia Ray',
  owner_id: 'mia',
  modifier_name: 'Mia Ray',
  modifier_id: 'mia',
  dav_permissions: 'RGDNVW',
  path: `files/Projects/${nameOf(id, generation)}`,
});
