/** Media types by file name, and what the content of a type can be. */
import mime from 'mime-types';

/**
 * Extensions for which the library has no type, that of another format, or a name that is not the
 * registered one.
 */
const byExtension: { readonly [extension: string]: string } = {
  accdb: 'application/msaccess',
  adoc: 'text/asciidoc',
  asice: 'application/vnd.etsi.asic-e+zip',
  bas: 'text/plain',
  bcfzip: 'application/zip',
  bib: 'text/x-bibtex',
  cs: 'text/x-csharp',
  dgn: 'image/vnd.dgn',
  dio: 'application/vnd.jgraph.mxfile',
  drawio: 'application/vnd.jgraph.mxfile',
  dwfx: 'model/vnd.dwfx+xps',
  exe: 'application/vnd.microsoft.portable-executable',
  fodt: 'application/vnd.oasis.opendocument.text-flat-xml',
  fods: 'application/vnd.oasis.opendocument.spreadsheet-flat-xml',
  fodp: 'application/vnd.oasis.opendocument.presentation-flat-xml',
  fodg: 'application/vnd.oasis.opendocument.graphics-flat-xml',
  go: 'text/x-go',
  gpkg: 'application/geopackage+sqlite3',
  har: 'application/json',
  ifc: 'application/x-step',
  ifczip: 'application/zip',
  jfif: 'image/jpeg',
  jsonl: 'application/jsonl',
  kt: 'text/x-kotlin',
  las: 'application/vnd.las',
  laz: 'application/vnd.laszip',
  mpp: 'application/vnd.ms-project',
  mpx: 'application/x-project',
  msi: 'application/x-msi',
  ndjson: 'application/x-ndjson',
  oft: 'application/vnd.ms-outlook',
  parquet: 'application/vnd.apache.parquet',
  pem: 'application/x-pem-file',
  po: 'text/x-gettext-translation',
  ps1: 'text/x-powershell',
  py: 'text/x-python',
  r: 'text/x-r',
  rb: 'text/x-ruby',
  rfa: 'application/vnd.autodesk.revit',
  rft: 'application/vnd.autodesk.revit',
  rs: 'text/x-rust',
  rst: 'text/x-rst',
  rte: 'application/vnd.autodesk.revit',
  rvt: 'application/vnd.autodesk.revit',
  shp: 'application/vnd.shp',
  skp: 'application/vnd.sketchup.skp',
  sqlite: 'application/vnd.sqlite3',
  swift: 'text/x-swift',
  tgz: 'application/gzip',
  tsx: 'text/plain',
  url: 'application/x-mswinurl',
  vdx: 'application/vnd.visio',
  vsdm: 'application/vnd.visio',
  vssm: 'application/vnd.visio',
  vssx: 'application/vnd.visio',
  vstm: 'application/vnd.visio',
  vstx: 'application/vnd.visio',
  vsx: 'application/vnd.visio',
  vue: 'text/x-vue',
  xer: 'text/plain',
  xliff: 'application/xliff+xml',
  xmind: 'application/vnd.xmind.workbook',
  zst: 'application/zstd',
};

/** The registered name of a type that the libraries or clients call otherwise. */
const registered: { readonly [alias: string]: string } = {
  'application/eps': 'application/postscript',
  'application/x-debian-package': 'application/vnd.debian.binary-package',
  'application/x-deb': 'application/vnd.debian.binary-package',
  'application/x-esri-shape': 'application/vnd.shp',
  'application/x-gzip': 'application/gzip',
  'application/x-msdos-program': 'application/vnd.microsoft.portable-executable',
  'application/x-msdownload': 'application/vnd.microsoft.portable-executable',
  'application/x-rar-compressed': 'application/vnd.rar',
  'application/x-redhat-package-manager': 'application/x-rpm',
  'application/x-sqlite3': 'application/vnd.sqlite3',
  'application/x-yaml': 'application/yaml',
  'application/x-zip-compressed': 'application/zip',
  'application/x.autodesk.fbx': 'application/vnd.autodesk.fbx',
  'application/x.ms.shortcut': 'application/x-ms-shortcut',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'audio/x-aiff': 'audio/aiff',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
  'image/vnd.ms-photo': 'image/jxr',
  'image/x-icon': 'image/vnd.microsoft.icon',
  'text/x-markdown': 'text/markdown',
  'text/x-vcard': 'text/vcard',
  'text/yaml': 'application/yaml',
  'video/mp1s': 'video/mpeg',
  'video/mp2p': 'video/mpeg',
  'video/x-matroska': 'video/matroska',
  'video/x-msvideo': 'video/vnd.avi',
};

export const registeredType = (type: string): string => registered[type.toLowerCase()] ?? type;

/** @returns undefined if the name says nothing about the type */
export function typeOfName(fileName: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const type = Object.hasOwn(byExtension, extension)
    ? byExtension[extension]
    : mime.lookup(fileName) || undefined;
  return type && registeredType(type);
}

/** Text that is not `text/*`, JSON or XML. */
const TEXTS = new Set([
  'application/javascript',
  'application/jsonl',
  'application/mbox',
  'application/node',
  'application/pgp-keys',
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/pkix-cert',
  'application/postscript',
  'application/rtf',
  'application/sql',
  'application/vnd.jgraph.mxfile',
  'application/x-httpd-php',
  'application/x-mswinurl',
  'application/x-ndjson',
  'application/x-pem-file',
  'application/x-project',
  'application/x-sh',
  'application/x-step',
  'application/x-subrip',
  'application/x-tex',
  'application/x-x509-ca-cert',
  'application/xml-dtd',
  'image/vnd.dxf',
  'message/rfc822',
  'model/iges',
  'model/mtl',
  'model/obj',
  'model/step',
  'model/stl',
  'model/vrml',
]);

/** Texts that can be binary too. */
const EITHER = new Set([
  'application/pkcs7-signature',
  'application/pkix-cert',
  'application/x-x509-ca-cert',
  'image/vnd.dxf',
  'model/stl',
]);

const isXml = (type: string) =>
  /[/+]xml$|-flat-xml$/.test(type) || type === 'application/vnd.jgraph.mxfile';

const isTextual = (type: string): boolean =>
  /^text\/|[/+](json|yaml|toml)$/.test(type) || isXml(type) || TEXTS.has(type);

/** Texts that begin alike. Other formats have the same extensions. */
const beginnings: readonly [of: (type: string) => boolean, RegExp][] = [
  [isXml, /^\s*(<|$)/],
  [(type) => type.startsWith('application/pgp-'), /^-----BEGIN PGP /],
];

/** Whether content that is text can have the type of its name. */
export const canBeText = (type: string, text: string): boolean =>
  isTextual(type) && (beginnings.find(([of]) => of(type))?.[1].test(text) ?? true);

export const canBeBinary = (type: string): boolean => !isTextual(type) || EITHER.has(type);

/** General formats, with the types whose content is one of them. Their file names tell which. */
const contained: { readonly [envelope: string]: (type: string) => boolean } = {
  'application/zip': (type) =>
    /officedocument|opendocument(?!.*-flat-xml)|\+zip$|java-archive|ms-.*\.macroenabled/.test(
      type,
    ) ||
    [
      'application/hwp+zip',
      'application/oxps',
      'application/vnd.android.package-archive',
      'application/vnd.apple.keynote',
      'application/vnd.apple.numbers',
      'application/vnd.apple.pages',
      'application/vnd.google-earth.kmz',
      'application/vnd.ms-xpsdocument',
      'application/vnd.recordare.musicxml',
      'application/vnd.sun.xml.calc',
      'application/vnd.sun.xml.draw',
      'application/vnd.sun.xml.impress',
      'application/vnd.sun.xml.writer',
      'application/vnd.visio',
      'application/vnd.xmind.workbook',
      'application/x-xpinstall',
      'model/3mf',
      'model/vnd.dwfx+xps',
    ].includes(type),
  'application/x-cfb': (type) =>
    [
      'application/msword',
      'application/vnd.autodesk.revit',
      'application/vnd.ms-excel',
      'application/vnd.ms-outlook',
      'application/vnd.ms-powerpoint',
      'application/vnd.ms-project',
      'application/vnd.ms-works',
      'application/vnd.visio',
      'application/x-msi',
      'application/x-mspublisher',
      'image/vnd.dgn',
    ].includes(type),
  'application/xml': isTextual,
  'application/vnd.sqlite3': (type) => type.endsWith('+sqlite3'),
  ...Object.fromEntries(
    ['application/vnd.ms-asf', 'audio/x-ms-asf', 'video/x-ms-asf'].map((asf) => [
      asf,
      (type: string) => /^(audio\/x-ms-wma|video\/x-ms-wmv)$/.test(type),
    ]),
  ),
};

/** Whether the content of a type is this general format. */
export const isContainedIn = (envelope: string, type: string): boolean =>
  contained[envelope]?.(type) ?? false;
