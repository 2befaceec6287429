/** The sentences of e-mails, in German. */
import type { Words } from './sentences.js';

export const de: Words = {
  hello: 'Hallo {name},',
  host: 'Gesendet von Moorage unter {host}.',

  'notifications.subject': '{actor} hat Dateien zu „{work}“ hinzugefügt',
  'notifications.subjects': 'Neue Dateien in deinen Arbeitspaketen',
  'notifications.entry': '{actor} hat {files} zu „{work}“ in {project} hinzugefügt:',
  'notifications.and': '{files} und {count} weitere',
  'notifications.others': 'Es gibt weitere Benachrichtigungen:',
  'notifications.why':
    'Du bekommst diese E-Mail, weil die Arbeitspakete deine sind oder du sie kommentiert hast. ' +
    'Wähle, wann du solche E-Mails bekommst:',
  'notifications.stop': 'Keine solchen E-Mails mehr:',

  'invitation.subject': 'Dein Konto bei {host}',
  'invitation.text':
    'für dich gibt es jetzt ein Konto mit dem Anmeldenamen {login}. Setze hier sein Passwort:',
  'password.subject': 'Ein neues Passwort setzen',
  'password.text':
    'jemand hat um ein neues Passwort für dein Konto {login} gebeten. Setze es hier:',
  'password.ignore':
    'Wenn du das nicht warst, lösche diese E-Mail. Dein Passwort bleibt, wie es ist.',
  'link.until': 'Die Adresse gilt einmal, und bis {time}.',

  'quarantined.subject': 'Eine Datei ist in Quarantäne: {file}',
  'quarantined.text':
    'der Virenscanner meldet die Datei {file} von {person}. Niemand kann sie ' +
    'herunterladen. Gib sie hier frei oder lösche sie:',
  'storage.subject': 'Ein Speicher funktioniert nicht: {name}',
  'storage.text': 'der Speicher {name} funktioniert seit {time} nicht. Hier steht, was fehlt:',
  'webhook.subject': 'Ein Webhook funktioniert nicht: {host}',
  'webhook.text':
    'der Webhook {address} hat seit {time} kein Ereignis angenommen. Die letzte Antwort: {answer} ' +
    'Seine Zustellungen stehen hier:',
  'disk.subject': 'Ein Datenträger ist fast voll: {host}',
  'disk.text':
    'auf dem Datenträger des Ordners {folder} auf {host} sind {free} von {size} frei. ' +
    'Wenn er voll ist, scheitern Uploads.',
  'alert.why': 'Du bekommst diese E-Mail, weil du das System verwaltest.',
};
