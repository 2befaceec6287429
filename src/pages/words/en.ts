/** The sentences of the pages that the service writes itself. Names in braces are filled in. */
export const en = {
  line: 'Every file of the work, where the work is.',
  lineMore: 'Attachments, and the files of your storages, side by side.',
  home: 'Home',
  goOn: 'Go on',
  language: 'Language',

  'signIn.title': 'Sign in',
  'signIn.login': 'Login',
  'signIn.password': 'Password',
  'signIn.button': 'Sign in',
  'signIn.provider': 'Sign in with {name}',
  'signIn.demo': 'This is a demo. Be one of its people.',
  'signIn.or': 'or with a password',
  'signIn.wrong': 'Login or password is wrong.',
  'signIn.ada': 'Administers everything',
  'signIn.mia': 'Works in the project Demo',
  'signIn.rob': 'Reads along',
  'signIn.done': 'Signed in',
  'signIn.as': 'Signed in as {name}',
  'signIn.out': 'Sign out',

  'identity.link': 'Link your identity at {name}, and sign in there from now on.',
  'identity.linkButton': 'Link an identity at {name}',
  'identity.linkNext': 'Sign in at {name} to link your identity',
  'identity.notLinked': 'Your identity is not linked',
  'identity.notSignedIn': 'You are not signed in',
  'identity.forged':
    'This answer does not belong to a sign-in that was begun in this browser, or it came too late. ' +
    'Start again.',
  'identity.refused': '{name} did not let you in, or its answer was not accepted. Start again.',
  'identity.unknown':
    '{name} knows you, but nobody here has your identity. Ask an administrator to add you.',
  'identity.unknownCode':
    '{name} knows you, but nobody here has your identity. Ask an administrator to add you, ' +
    'and tell them the code {code}.',
  'identity.taken':
    'You have an identity already, or this identity at {name} belongs to another login. ' +
    'Or your session has ended in the meantime.',

  'consent.title': 'Let {name} act for you?',
  'consent.asks':
    '{name} asks to use this service in your name: to see and change what you may see and change.',
  'consent.as': 'You are signed in as {name} ({login}).',
  'consent.then': 'Afterwards you are sent to {address}.',
  'consent.allow': 'Allow',
  'consent.deny': 'Deny',
  'consent.over': 'This step is over',
  'consent.overWhy':
    'It was finished before, it took too long, or another user has signed in. ' +
    'Go back to the application and start again.',
  'consent.refused': 'This request cannot be answered',
  'consent.refusedWhy':
    'The application sent you here with a request that this service does not accept. ' +
    'Go back to the application and try again, or ask its operator.',

  'connection.refused': 'You are not connected',
  'connection.late':
    'This answer belongs to no connection that this browser has begun, or it came too late. ' +
    'Start again.',
  'connection.changed': 'The settings of the storage have changed. Start again.',
  'connection.denied': 'The storage did not let you connect. Start again if that was a mistake.',
  'connection.grant':
    'The storage refused to connect you ({detail}). Start again; if that does not help, ' +
    'an administrator must check the client credentials.',
  'connection.silent': 'The storage could not be asked: {detail} Try again later.',
  'connection.storage': '{detail}',

  'wrong.title': 'That did not work',
  'wrong.nothingThere': 'There is nothing at this address',
  'wrong.nothingThereWhy': 'It was deleted, you may not see it, or the address is incomplete.',
  'wrong.missing': 'The requested resource could not be found.',
  'wrong.forbidden': 'You are not authorized to access this resource.',
  'wrong.busy': 'The service has more to do than it can at the moment. Try again shortly.',
  'wrong.other': 'An internal error has occurred.',
  'wrong.foreignForm': 'This form was not sent from here',
  'wrong.foreignFormWhy': 'Another site tried to send a form in your name. Nothing was changed.',
  'wrong.provider': 'The sign-in service cannot be reached at the moment. Try again shortly.',
  'wrong.unreadable': 'What was sent is too large, or cannot be read. Go back and try again.',
  'wrong.passwords': 'There were too many wrong passwords. Try again in {time}.',
  'wrong.links': 'There were too many wrong links. Try again in {time}.',
  'wrong.requests': 'Too many passwords were asked for. Try again in {time}.',

  'link.title': 'This link does not work',
  'link.why': 'It was used already, or it is too old, or it is not complete.',
  'link.askForAnother': 'Ask an administrator for another link.',
  'link.setUpAgain': 'Run `moorage setup` where the service runs: it prints another link.',
  'link.password': 'Password',
  'link.repeated': 'The same password again',
  'link.differ': 'The two passwords differ.',

  'password.title': 'Set your password',
  'password.you': 'You are {name}, and your login is {login}.',
  'password.button': 'Set the password and sign in',
  'password.lost': 'Forgot your password?',
  'password.lostTitle': 'Get a link for a new password',
  'password.lostSays': 'It comes by e-mail.',
  'password.lostName': 'Login or e-mail address',
  'password.lostButton': 'Send the link',
  'password.sent': 'Look into your e-mails',
  'password.sentWhy':
    'If there is an account with an e-mail address, a link is on its way to it. It works for three days. ' +
    'If nothing comes, look into the spam folder, or ask an administrator.',

  'unsubscribe.title': 'No more e-mails about new files?',
  'unsubscribe.says': 'Moorage then sends no e-mails about notifications to {address}.',
  'unsubscribe.button': 'No more e-mails',
  'unsubscribe.done': 'There will be no more of these e-mails',
  'unsubscribe.doneSays': 'You can choose them again in your account.',
  'unsubscribe.wrongWhy': 'The address is not complete. Choose your e-mails in your account.',
  'unsubscribe.account': 'Open your account',

  'setUp.title': 'Set up Moorage',
  'setUp.says': 'Make the first administrator. This link works once.',
  'setUp.firstName': 'First name',
  'setUp.lastName': 'Last name',
  'setUp.email': 'E-mail address, if you like',
  'setUp.button': 'Make the administrator and sign in',
  'setUp.over': 'The service is set up',
  'setUp.overWhy':
    'It has an administrator, so this page has ended. Sign in, or ask the administrator.',
  'setUp.done': 'Moorage is set up',
  'setUp.as': 'You are signed in as {login}, an administrator.',
  'setUp.open': 'Still to be configured',
  'setUp.works': 'Works',
  'setUp.doctor': '{command} tries everything, an upload included.',
  'setUp.go': 'Open Moorage',

  'workPackage.facts': '{type} #{id} in {project}. Status: {status}.',
  'workPackage.assigned': 'Assigned to {name}.',
  'workPackage.unassigned': 'Assigned to nobody.',
  'workPackage.attachments': 'Attachments',
  'workPackage.links': 'Linked files',
  'workPackage.none': 'None.',
  'workPackage.first': 'These are the first {shown} of {total}.',
  'workPackage.new': 'New work package',
  'workPackage.newIn': 'In {project}.',
  'workPackage.newType': '{type} in {project}.',
  'workPackage.noForm':
    'This service has no form for it yet. Create it in the application that you came from.',

  'front.explorer': 'GraphQL explorer',
  'front.interface': 'The interface /api/v3',
} as const;
