/** What schemas say about members. */
import { constant, described, flag, object, text, type Members, type Schema } from './shapes.js';

export const attribute = (type: string, more: Members = {}): Schema =>
  object(
    {
      type: constant(type, 'Type of the value.'),
      name: described('Name for people.', text),
      required: described('Whether a value is needed.', flag),
      hasDefault: described('Whether there is a default value.', flag),
      writable: described('Whether clients can set it.', flag),
      ...more,
    },
    'What clients can set for this member.',
  );
export const inLinks = { location: constant('_links', 'The value is a link.') };
