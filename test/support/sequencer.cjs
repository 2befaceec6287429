/** The longest files first: whatever runs alone at the end keeps the other cores waiting. */
const { default: Sequencer } = require('@jest/test-sequencer');

const long = [
  'permissions/permissions',
  'cli/serve',
  'attachments/direct-upload',
  'attachment-changed-subscription',
  'blobs/s3',
  'bad-graphql-input',
  'cli/doctor',
  'extending/',
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
