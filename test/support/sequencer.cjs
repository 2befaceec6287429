/**
 * Runs the longest files first, so that no core is idle at the end. Those with a browser stand
 * apart: several browsers at once wait for each other.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

const long = [
  'permissions/permissions',
  'browser/bad-ways',
  'cli/serve',
  'several-processes',
  'browser/linked',
  'extending/',
  'packaging/commands',
  'browser/finding',
  'cli/import',
  'packaging/builds',
  'browser/files',
  'cli/user',
  'cli/doctor',
  'browser/explorer',
  'packaging/package',
  'file-links/file-links.test',
  'client/browser',
  'auth/sessions',
  'cli/',
  'browser/own-pages',
  'packaging/',
  'protocol/overload',
  'browser/sign-in',
  'protocol/openapi.test',
  'attachments/direct-upload',
  'storages/self-hosted-file-server',
  'browser/connect',
  'storages/cloud-drive',
  'attachment-changed-subscription',
  'browser/direct',
  'bad-graphql-input',
  'background/',
  'blobs/s3',
];
const rank = ({ path }) => {
  const place = long.findIndex((name) => path.includes(name));
  return place === -1 ? long.length : place;
};

module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  }
};
