import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('de')

export const users: AdminTexts['users'] = {
  lead: 'Alle, die sich bei diesem Gatehouse mit einem Passwort anmelden.',
  add: 'Benutzer hinzufügen',
  search: 'Benutzer suchen',
  allRoles: 'Alle Rollen',
  filterRole: 'Rolle',
  count: (shown, all) => (shown === all ? `${number(all)} insgesamt` : `${number(shown)} von ${number(all)}`),
  list: 'Benutzer',
  name: 'Name',
  role: 'Rolle',
  noRoleYet: 'Rolle wählen',
  lastLogin: 'Letzte Anmeldung',
  created: 'Hinzugefügt',
  never: 'Nie',
  you: 'Sie',
  noneTitle: 'Keine Treffer',
  none: 'Kein Name und keine Rolle passt zu dieser Suche.',
  clear: 'Alle Benutzer anzeigen',
  pages: 'Seiten der Liste',
  pageNumber: (page) => `Seite ${page}`,
  nextPage: 'Nächste Seite',
  previousPage: 'Vorherige Seite',
  byProxy:
    'Die Anmeldung läuft über Ihren Proxy, deshalb gilt nicht, was hier eingestellt ist. Es gilt wieder, sobald auth.enabled auf true steht.',
  noSuchRole: (role) => `Es gibt keine Rolle ${role}: Sie gewährt nichts.`,

  newTitle: 'Benutzer hinzufügen',
  nameHint: 'Buchstaben ohne Umlaute, Ziffern und . _ - @ +. Groß- und Kleinschreibung ist beim Anmelden egal.',
  nameMissing: 'Einen Namen eingeben.',
  nameTaken: 'Es gibt schon einen Benutzer mit diesem Namen.',
  password: 'Passwort',
  passwordMissing: 'Ein Passwort eingeben oder erzeugen lassen.',
  make: 'Passwort erzeugen',
  made: 'Ein neues Passwort wurde erzeugt.',
  create: 'Hinzufügen',
  advice: {
    empty:
      'Mindestens 12 Zeichen. Nehmen Sie ein hier erzeugtes oder drei, vier Wörter, die nichts miteinander zu tun haben.',
    userName: 'Es darf nicht der Name des Benutzers sein.',
    containsName: 'Der Name des Benutzers darin macht es leichter zu erraten.',
    fine: 'Lang genug. Wenn es niemand erraten kann, der diesen Menschen kennt, ist es ein gutes.',
  },

  sees: {
    admin: 'Darf alles: alle Kameras, Benutzer, Rollen und die Konfiguration.',
    viewer: 'Sieht alle Kameras und ändert nichts.',
    cameras: (list) => `Sieht ${list} und keine andere Kamera.`,
    more: (count) => plural(count, { other: '# weitere' }),
    nothing: 'Sieht keine Kamera.',
  },

  handOver: (name) => `Zugangsdaten für ${name}`,
  handOverLead: () =>
    'Das Passwort wird nur jetzt angezeigt. Geben Sie es auf sicherem Weg weiter; ändern lässt es sich unter „Konto“.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyName: 'Namen kopieren',
  copyPassword: 'Passwort kopieren',
  done: 'Fertig',

  all: 'Alle Benutzer',
  goneTitle: 'Kein solcher Benutzer',
  gone: (name) => `Es gibt keinen Benutzer ${name}. Vielleicht hat ihn jemand gelöscht oder umbenannt.`,
  since: (when) => `Hinzugefügt am ${when}`,
  seen: (when) => `Letzte Anmeldung ${when}`,
  neverSeen: 'Noch nie angemeldet',
  roleTitle: 'Rolle',
  roleLead: 'Gilt ab der nächsten Anfrage und auch für alles, was gerade offen ist.',
  saveRole: 'Rolle ändern',
  roleChanged: (name, role) => `${name} ist jetzt ${role}.`,
  roleOvertakenTitle: 'Jemand anderes hat die Rolle inzwischen geändert',
  roleOvertaken: (name, theirs, mine) =>
    `${name} ist inzwischen ${theirs}. Ihre Auswahl bleibt erhalten: Ändern Sie die Rolle noch einmal, damit sie ${mine} wird.`,
  roleOf: (role) => `Mehr zur Rolle ${role}`,
  ownRoleTitle: 'Ihre eigene Rolle admin abgeben?',
  ownRoleBody: (role) =>
    `Sie sind dann ${role}, und diese Einstellungen sind für Sie sofort geschlossen. Nur ein anderer Admin kann Ihnen die Rolle zurückgeben.`,
  ownRoleConfirm: 'Rolle admin abgeben',
  lastAdmin:
    'Das ist der einzige Admin. Deshalb bleibt die Rolle, und der Benutzer lässt sich nicht löschen. Machen Sie zuerst jemand anderen zum Admin.',
  lastAdminRefused: 'Das ist der letzte Admin. Machen Sie zuerst jemand anderen zum Admin.',

  passwordTitle: 'Passwort',
  passwordLead: 'Ein neues Passwort beendet sofort alle Sitzungen dieses Benutzers.',
  setPassword: 'Passwort festlegen',
  ownPassword: 'Ihr eigenes Passwort ändern Sie unter „Konto“; dort wird auch das alte abgefragt.',
  toAccount: 'Zum Konto',

  sessionsTitle: 'Sitzungen',
  sessionsLead: 'Alle Browser und Programme, in denen dieser Benutzer angemeldet ist.',
  noSessions: 'Nirgends angemeldet.',
  endAll: 'Alle Sitzungen beenden',
  endAllOthers: 'Alle anderen Sitzungen beenden',
  endAllTitle: (name) => `Alle Sitzungen von ${name} beenden?`,
  endAllBody: (count, name) =>
    plural(
      count,
      {
        one: '{name} wird sofort in # Browser oder Programm abgemeldet, und was dort läuft, stoppt. Eine neue Anmeldung ist möglich.',
        other:
          '{name} wird sofort in # Browsern und Programmen abgemeldet, und was dort läuft, stoppt. Eine neue Anmeldung ist möglich.',
      },
      { name },
    ),
  allEnded: 'Alle Sitzungen sind beendet.',
  moreSessions: (count) => plural(count, { other: '# weitere anzeigen' }),
  deleteTitle: 'Benutzer löschen',
  deleteLead: 'Löscht das Konto. Aufnahmen und Kameras bleiben, wie sie sind.',
  delete: 'Löschen',
  deleteAsk: (name) => `${name} löschen?`,
  deleteBody: (name) =>
    `${name} wird sofort überall abgemeldet. Was offen ist, stoppt, und das Passwort geht verloren. Rückgängig machen lässt sich das nicht: Ein neuer Benutzer mit demselben Namen fängt von vorn an.`,
  deleteSelf:
    'Das sind Sie selbst. Sie werden sofort abgemeldet, und nur ein anderer Admin kann Ihnen ein neues Konto anlegen.',
  deleted: (name) => `${name} ist gelöscht.`,
  alreadyGone: (name) => `${name} hatte schon jemand anderes gelöscht.`,

  orphans: {
    title: (count) =>
      plural(count, {
        one: '# Benutzer hat eine Rolle, die es nicht gibt',
        other: '# Benutzer haben eine Rolle, die es nicht gibt',
      }),
    lead: 'Ihre Rolle fehlt in config.yml, deshalb sehen sie nichts. Fügen Sie die Rolle wieder in config.yml ein oder geben Sie diesen Benutzern eine andere.',
    more: (count) => plural(count, { other: '# weitere' }),
    reassign: 'Neu zuweisen…',
    reassignOf: (role) => `Benutzer von ${role} neu zuweisen`,
    reassignLead: (names) => `Wählen Sie eine neue Rolle für ${names}. Sie gilt sofort.`,
    chooseRole: 'Wählen Sie eine Rolle.',
    reassignAct: 'Neu zuweisen',
    reassigned: (count, role) =>
      plural(count, { one: '# Benutzer ist jetzt {role}.', other: '# Benutzer sind jetzt {role}.' }, { role }),
  },
}
