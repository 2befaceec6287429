/** Describes the pictures of users. */
import { headerRefs } from './headers.js';
import { accessIn, conditionParameters, notModified, operation } from './operation-parts.js';

export const avatar = operation({
  operationId: 'viewUserAvatar',
  tag: 'Users',
  summary: 'Download the picture of a user',
  graphql: 'user',
  description:
    'The target of `avatar`. Everybody who sees the user sees the picture. It has conditions of RFC 9110.',
  parameters: [accessIn('avatarAddress'), ...conditionParameters],
  refusals: ['MissingPermission', 'PreconditionFailed'],
  answers: {
    ...notModified,
    200: {
      description: 'The picture.',
      headers: headerRefs(
        'X-Request-Id',
        'X-Content-Type-Options',
        'Cache-Control',
        'ETag',
        'Content-Security-Policy',
        'Content-Length',
      ),
      content: { 'image/png': {}, 'image/jpeg': {} },
    },
    404: {
      description: 'There is no picture, or the user is missing or not visible. The body is empty.',
      headers: headerRefs('X-Request-Id'),
    },
  },
});
