/** Runs the longest files first, so that no core is idle at the end. */
const { default: Sequencer } = require('@jest/test-sequencer');

const long = [
  'packaging/commands',
  'permissions/permissions',
  'cli/serve',
  'cli/import',
  'several-processes',
  'packaging/package',
  'extending/',
  'packaging/build-once',
  'cli/doctor',
  'attachments/direct-upload',
  'packaging/',
  'storages/self-hosted-file-server',
  'storages/cloud-drive',
  'attachment-changed-subscription',
  'file-links/file-links.test',
  'cli/',
  'bad-graphql-input',
  'blobs/s3',
  'protocol/overload',
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
