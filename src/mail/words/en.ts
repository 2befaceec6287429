/** The sentences of e-mails. Names in braces are filled in. Addresses follow on a line of their own. */
export const en = {
  hello: 'Hello {name},',
  host: 'Sent by Moorage at {host}.',

  'notifications.subject': '{actor} added files to “{work}”',
  'notifications.subjects': 'Files were added to your work packages',
  'notifications.entry': '{actor} added {files} to “{work}” in {project}:',
  'notifications.and': '{files} and {count} more',
  'notifications.others': 'There are more notifications:',
  'notifications.why':
    'You get this because the work packages are yours, or because you commented on them. ' +
    'Choose when you get such e-mails:',
  'notifications.stop': 'To get no more of them:',

  'invitation.subject': 'Your account at {host}',
  'invitation.text':
    'There is an account for you now, with the login {login}. Set its password here:',
  'password.subject': 'Set a new password',
  'password.text': 'Somebody asked for a new password for your account {login}. Set it here:',
  'password.ignore': 'If it was not you, ignore this e-mail. Your password stays as it is.',
  'link.until': 'The address works once, and until {time}.',

  'quarantined.subject': 'A file is in quarantine: {file}',
  'quarantined.text':
    'The virus scanner reports the file {file} of {person}. Nobody can download it. ' +
    'Release or delete it here:',
  'storage.subject': 'A storage does not work: {name}',
  'storage.text': 'The storage {name} has not worked since {time}. See what is wrong here:',
  'webhook.subject': 'A webhook does not work: {host}',
  'webhook.text':
    'The webhook {address} has taken no event since {time}. The last answer: {answer} ' +
    'See its deliveries here:',
  'disk.subject': 'A disk is nearly full: {host}',
  'disk.text':
    'The disk of the folder {folder} on {host} has {free} of {size} left. ' +
    'Uploads fail when it is full.',
  'alert.why': 'You get this because you are an administrator.',
} as const satisfies { [key: string]: string };
