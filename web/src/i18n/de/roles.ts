import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('de')

export const roles: AdminTexts['roles'] = {
  lead: 'Eine Rolle legt fest, welche Kameras jemand sieht. Jeder Benutzer hat genau eine.',
  add: 'Rolle hinzufügen',
  builtin: 'Feste Rollen',
  builtinLead: 'Immer vorhanden und nicht änderbar.',
  custom: 'Eigene Rollen',
  customLead: 'Wer eine davon hat, sieht die gewählten Kameras live und in Aufnahmen und ändert nichts.',
  noneTitle: 'Noch keine eigenen Rollen',
  none: 'Legen Sie eine an für alle, die manche, aber nicht alle Kameras sehen sollen: Nachbarschaft, Mieter, Wachdienst.',
  search: 'Rollen suchen',
  noMatch: 'Keine Rolle passt zu dieser Suche.',
  admin: 'Darf alles: sieht alle Kameras, verwaltet Benutzer, Rollen, Kameras und die Konfiguration.',
  viewer: 'Sieht alle Kameras, auch später hinzugefügte. Ändert nichts und hat keine Einstellungen.',
  users: (count) => plural(count, { '=0': 'Niemand', other: '# Benutzer' }),
  more: (count) => plural(count, { other: '# weitere' }),
  missing: (name) => `${name} (keine solche Kamera)`,
  missingHint:
    'Es gibt keine Kamera mit diesem Namen. Der Eintrag wirkt erst, wenn es sie gibt und ein Admin sie hier freigibt.',

  newTitle: 'Rolle hinzufügen',
  name: 'Name',
  nameHint: 'Buchstaben ohne Umlaute, Ziffern, Punkt und Unterstrich, etwa nachbarn. Später nicht änderbar.',
  nameMissing: 'Einen Namen eingeben.',
  nameTaken: (name) => `Es gibt schon eine Rolle ${name}.`,
  chooseOne: 'Mindestens eine Kamera wählen. Ohne Kamera gibt es nichts zu sehen; dann besser die Rolle löschen.',
  chooseOneNew: 'Mindestens eine Kamera wählen.',
  noCameras: 'Es gibt noch keine Kameras. Fügen Sie zuerst eine hinzu und wählen Sie dann, wer sie sieht.',
  create: 'Hinzufügen',
  created: (name) => `Die Rolle ${name} ist angelegt. Vergeben wird sie unter „Benutzer“.`,

  all: 'Alle Rollen',
  goneTitle: 'Keine solche Rolle',
  gone: (name) => `Es gibt keine Rolle ${name}. Vielleicht hat jemand sie gelöscht.`,
  camerasTitle: 'Kameras',
  camerasLead: 'Was Benutzer mit dieser Rolle sehen, schon ab der nächsten Anfrage.',
  searchCameras: 'Kameras suchen',
  noCameraFits: 'Keine Kamera passt zu dieser Suche.',
  chosen: (count, all) => plural(count, { other: '# von {all} gewählt' }, { all: number(all) }),
  gains: (count, cameras) =>
    plural(
      count,
      { one: '# Benutzer sieht künftig auch {cameras}.', other: '# Benutzer sehen künftig auch {cameras}.' },
      { cameras },
    ),
  loses: (count, cameras) =>
    plural(
      count,
      {
        one: '# Benutzer sieht nicht mehr: {cameras}. Was gerade offen ist, stoppt sofort.',
        other: '# Benutzer sehen nicht mehr: {cameras}. Was gerade offen ist, stoppt sofort.',
      },
      { cameras },
    ),
  save: 'Speichern',
  discard: 'Verwerfen',
  withheldTitle: 'Noch nicht freigegeben',
  withheldBody: (cameras) =>
    `Diese Rolle hat ${cameras} schon aufgeführt, bevor die Kamera hinzugefügt wurde. Ihre Benutzer sehen sie deshalb nicht. Geben Sie die neue Kamera frei, wenn sie sie sehen sollen.`,
  confirm: (cameras) => `${cameras} freigeben`,
  confirmed: (role) => `${role} sieht die Kamera jetzt.`,
  saved: (name) => `Die Rolle ${name} ist geändert.`,
  changedTitle: 'Jemand anderes hat diese Rolle inzwischen geändert',
  changedBody: (cameras) =>
    `Zu ihr gehören jetzt: ${cameras}. Wenn Sie damit weitermachen, gehen Ihre eigenen Änderungen verloren.`,
  takeOver: 'Neuen Stand anzeigen',

  usersTitle: 'Benutzer',
  usersLead: 'Wer diese Rolle hat.',
  noUsers: 'Niemand hat diese Rolle.',

  deleteTitle: 'Rolle löschen',
  deleteLead: 'Wer sie hat, wird viewer und sieht alle Kameras.',
  delete: 'Löschen',
  deleteAsk: (name) => `Rolle ${name} löschen?`,
  looking: 'Suche, wer diese Rolle hat …',
  becomes: (count) => plural(count, { one: 'Dieser Benutzer wird viewer:', other: 'Diese # Benutzer werden viewer:' }),
  gainTitle: (count) =>
    plural(count, {
      one: 'Von da an ist auch diese Kamera für sie sichtbar:',
      other: 'Von da an sind auch diese Kameras für sie sichtbar:',
    }),
  gainNothing: 'Alle Kameras sind für sie schon sichtbar, später hinzugefügte ebenso.',
  nobody: 'Niemand hat diese Rolle, also gewinnt und verliert niemand eine Kamera.',
  instead: 'Falls das nicht gewollt ist, geben Sie ihnen zuerst eine andere Rolle.',
  proxyToo: 'Wer diese Rolle von Ihrem Proxy bekommt, verliert sie bei der nächsten Anfrage.',
  deleted: (name) => `Die Rolle ${name} ist gelöscht.`,
  deletedAnd: (name, users) => `Die Rolle ${name} ist gelöscht. Jetzt viewer: ${users}.`,
  alreadyGone: (name) => `Die Rolle ${name} hatte schon jemand anderes gelöscht.`,

  differences: {
    title: 'Die Rollen der Instanzen unterscheiden sich',
    lead: 'Instanzen mit dieser gemeinsamen Datenbank haben verschiedene Rollen in ihrer config.yml. Was ein Benutzer sieht, hängt daher von der Instanz ab. Geben Sie allen dieselbe config.yml.',
    instance: (name) => `Instanz ${name}`,
    'missing-here': (role) => `${role}: nur dort vorhanden`,
    'missing-there': (role) => `${role}: nur hier vorhanden`,
    'other-cameras': (role) => `${role}: dort mit anderen Kameras`,
  },
}
