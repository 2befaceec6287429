import type { Words } from './sentences.js';

/** The same sentences in German. */
export const de: Words = {
  line: 'Jede Datei da, wo die Arbeit ist.',
  lineMore: 'Anhänge und die Dateien Ihrer Speicher, nebeneinander.',
  home: 'Start',
  goOn: 'Weiter',
  language: 'Sprache',

  'signIn.title': 'Anmelden',
  'signIn.login': 'Anmeldename',
  'signIn.password': 'Passwort',
  'signIn.button': 'Anmelden',
  'signIn.provider': 'Mit {name} anmelden',
  'signIn.demo': 'Das ist eine Demo. Seien Sie eine dieser Personen.',
  'signIn.or': 'oder mit Passwort',
  'signIn.wrong': 'Anmeldename oder Passwort ist falsch.',
  'signIn.ada': 'Verwaltet alles',
  'signIn.mia': 'Arbeitet im Projekt Demo',
  'signIn.rob': 'Liest mit',
  'signIn.done': 'Angemeldet',
  'signIn.as': 'Angemeldet als {name}',
  'signIn.out': 'Abmelden',

  'identity.link': 'Verknüpfen Sie Ihre Identität bei {name}, und melden Sie sich künftig dort an.',
  'identity.linkButton': 'Identität bei {name} verknüpfen',
  'identity.linkNext': 'Bei {name} anmelden, um die Identität zu verknüpfen',
  'identity.notLinked': 'Ihre Identität ist nicht verknüpft',
  'identity.notSignedIn': 'Sie sind nicht angemeldet',
  'identity.forged':
    'Diese Antwort gehört zu keiner Anmeldung, die in diesem Browser begann, oder sie kam zu spät. ' +
    'Beginnen Sie von vorn.',
  'identity.refused':
    '{name} hat Sie nicht eingelassen, oder die Antwort war nicht gültig. Beginnen Sie von vorn.',
  'identity.unknown':
    '{name} kennt Sie, aber hier hat niemand Ihre Identität. Bitten Sie die Administration, ' +
    'Sie hinzuzufügen.',
  'identity.unknownCode':
    '{name} kennt Sie, aber hier hat niemand Ihre Identität. Bitten Sie die Administration, ' +
    'Sie hinzuzufügen, und nennen Sie den Code {code}.',
  'identity.taken':
    'Sie haben schon eine Identität, oder diese Identität bei {name} gehört zu einem anderen ' +
    'Anmeldenamen. Vielleicht ist auch Ihre Sitzung inzwischen beendet.',

  'consent.title': 'Darf {name} für Sie handeln?',
  'consent.asks':
    '{name} möchte diesen Dienst in Ihrem Namen benutzen: sehen und ändern, was Sie sehen und ' +
    'ändern dürfen.',
  'consent.as': 'Sie sind angemeldet als {name} ({login}).',
  'consent.then': 'Danach kommen Sie zu {address}.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'consent.over': 'Dieser Schritt ist vorbei',
  'consent.overWhy':
    'Er wurde schon beendet, er dauerte zu lange, oder jemand anders hat sich angemeldet. ' +
    'Gehen Sie zur Anwendung zurück, und beginnen Sie von vorn.',
  'consent.refused': 'Diese Anfrage kann nicht beantwortet werden',
  'consent.refusedWhy':
    'Die Anwendung hat Sie mit einer Anfrage hierher geschickt, die dieser Dienst nicht annimmt. ' +
    'Gehen Sie zur Anwendung zurück und versuchen Sie es noch einmal, oder fragen Sie ihren Betreiber.',

  'connection.refused': 'Sie sind nicht verbunden',
  'connection.late':
    'Diese Antwort gehört zu keiner Verbindung, die in diesem Browser begann, oder sie kam zu spät. ' +
    'Beginnen Sie von vorn.',
  'connection.changed':
    'Die Einstellungen des Speichers haben sich geändert. Beginnen Sie von vorn.',
  'connection.denied':
    'Der Speicher hat die Verbindung nicht erlaubt. Beginnen Sie von vorn, wenn das ein Versehen war.',
  'connection.grant':
    'Der Speicher hat es abgelehnt, Sie zu verbinden ({detail}). Beginnen Sie von vorn. Wenn das ' +
    'nicht hilft, muss die Administration die Client-Daten prüfen.',
  'connection.silent':
    'Der Speicher konnte nicht gefragt werden: {detail} Versuchen Sie es später noch einmal.',
  'connection.storage': '{detail}',

  'wrong.title': 'Das hat nicht geklappt',
  'wrong.nothingThere': 'Unter dieser Adresse gibt es nichts',
  'wrong.nothingThereWhy':
    'Es wurde gelöscht, Sie dürfen es nicht sehen, oder die Adresse ist unvollständig.',
  'wrong.missing': 'Das gibt es nicht, oder Sie dürfen es nicht sehen.',
  'wrong.forbidden': 'Sie dürfen das nicht.',
  'wrong.busy': 'Der Dienst hat zurzeit zu viel zu tun. Versuchen Sie es bald noch einmal.',
  'wrong.other': 'Im Dienst ist etwas schiefgegangen.',
  'wrong.foreignForm': 'Dieses Formular kam nicht von hier',
  'wrong.foreignFormWhy':
    'Eine andere Website wollte in Ihrem Namen ein Formular senden. Nichts wurde geändert.',
  'wrong.provider':
    'Der Anmeldedienst ist zurzeit nicht erreichbar. Versuchen Sie es bald noch einmal.',
  'wrong.unreadable':
    'Was gesendet wurde, ist zu groß oder nicht lesbar. Gehen Sie zurück, und versuchen Sie es ' +
    'noch einmal.',
  'wrong.passwords': 'Es gab zu viele falsche Passwörter. Versuchen Sie es in {time} noch einmal.',
  'wrong.links': 'Es gab zu viele falsche Links. Versuchen Sie es in {time} noch einmal.',
  'wrong.requests': 'Es wurden zu viele Passwörter angefordert. Versuche es in {time} erneut.',

  'link.title': 'Dieser Link funktioniert nicht',
  'link.why': 'Er wurde schon benutzt, er ist zu alt, oder er ist nicht vollständig.',
  'link.askForAnother': 'Bitten Sie die Administration um einen neuen Link.',
  'link.setUpAgain':
    'Rufen Sie `moorage setup` dort auf, wo der Dienst läuft: Es nennt einen neuen Link.',
  'link.password': 'Passwort',
  'link.repeated': 'Dasselbe Passwort noch einmal',
  'link.differ': 'Die beiden Passwörter sind verschieden.',

  'password.title': 'Passwort festlegen',
  'password.you': 'Sie sind {name}, und Ihr Anmeldename ist {login}.',
  'password.button': 'Passwort festlegen und anmelden',
  'password.lost': 'Passwort vergessen?',
  'password.lostTitle': 'Einen Link für ein neues Passwort bekommen',
  'password.lostSays': 'Er kommt per E-Mail.',
  'password.lostName': 'Anmeldename oder E-Mail-Adresse',
  'password.lostButton': 'Link senden',
  'password.sent': 'Sieh in deine E-Mails',
  'password.sentWhy':
    'Wenn es ein Konto mit einer E-Mail-Adresse gibt, ist ein Link dorthin unterwegs. Er gilt drei Tage. ' +
    'Wenn nichts kommt, sieh in den Spam-Ordner oder frage jemanden, der das System verwaltet.',

  'unsubscribe.title': 'Keine E-Mails mehr über neue Dateien?',
  'unsubscribe.says':
    'Moorage sendet dann keine E-Mails über Benachrichtigungen mehr an {address}.',
  'unsubscribe.button': 'Keine E-Mails mehr',
  'unsubscribe.done': 'Solche E-Mails kommen nicht mehr',
  'unsubscribe.doneSays': 'Du kannst sie in deinem Konto wieder wählen.',
  'unsubscribe.wrongWhy': 'Die Adresse ist nicht vollständig. Wähle deine E-Mails in deinem Konto.',
  'unsubscribe.account': 'Dein Konto öffnen',

  'setUp.title': 'Moorage einrichten',
  'setUp.says': 'Legen Sie die erste Administration an. Dieser Link gilt einmal.',
  'setUp.firstName': 'Vorname',
  'setUp.lastName': 'Nachname',
  'setUp.email': 'E-Mail-Adresse, wenn Sie möchten',
  'setUp.button': 'Administration anlegen und anmelden',
  'setUp.over': 'Der Dienst ist eingerichtet',
  'setUp.overWhy':
    'Er hat eine Administration, also ist diese Seite vorbei. Melden Sie sich an, oder fragen Sie ' +
    'die Administration.',
  'setUp.done': 'Moorage ist eingerichtet',
  'setUp.as': 'Sie sind angemeldet als {login} und verwalten den Dienst.',
  'setUp.open': 'Noch einzurichten',
  'setUp.works': 'Funktioniert',
  'setUp.doctor': '{command} probiert alles aus, auch einen Upload.',
  'setUp.go': 'Moorage öffnen',

  'workPackage.facts': '{type} #{id} in {project}. Status: {status}.',
  'workPackage.assigned': 'Zugewiesen an {name}.',
  'workPackage.unassigned': 'Niemandem zugewiesen.',
  'workPackage.attachments': 'Anhänge',
  'workPackage.links': 'Verknüpfte Dateien',
  'workPackage.none': 'Keine.',
  'workPackage.first': 'Das sind die ersten {shown} von {total}.',
  'workPackage.new': 'Neues Arbeitspaket',
  'workPackage.newIn': 'In {project}.',
  'workPackage.newType': '{type} in {project}.',
  'workPackage.noForm':
    'Dieser Dienst hat noch kein Formular dafür. Legen Sie es in der Anwendung an, aus der Sie kamen.',

  'front.explorer': 'GraphQL-Explorer',
  'front.interface': 'Die Schnittstelle /api/v3',
};
