/** Runs the longest files first, so that no core is idle at the end. */
const { default: Sequencer } = require('@jest/test-sequencer');

const long = [
  'permissions/permissions',
  'cli/serve',
  'several-processes',
  'extending/',
  'packaging/commands',
  'cli/import',
  'packaging/build-once',
  'cli/user',
  'cli/doctor',
  'packaging/package',
  'file-links/file-links.test',
  'auth/sessions',
  'cli/',
  'packaging/',
  'protocol/overload',
  'protocol/openapi.test',
  'attachments/direct-upload',
  'storages/self-hosted-file-server',
  'storages/cloud-drive',
  'attachment-changed-subscription',
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
