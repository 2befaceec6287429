/**
 * Runs the longest files first, so that no core is idle at the end. Those with a browser stand
 * apart: several browsers at once wait for each other.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

const long = [
  'permissions/permissions',
  'browser/files',
  'cli/serve',
  'several-processes',
  'browser/explorer',
  'extending/',
  'packaging/commands',
  'browser/own-pages',
  'cli/import',
  'packaging/build-once',
  'client/browser',
  'cli/user',
  'cli/doctor',
  'packaging/package',
  'file-links/file-links.test',
  'browser/sign-in',
  'auth/sessions',
  'cli/',
  'packaging/',
  'protocol/overload',
  'browser/connect',
  'protocol/openapi.test',
  'attachments/direct-upload',
  'storages/self-hosted-file-server',
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
