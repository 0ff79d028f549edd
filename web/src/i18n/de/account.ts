import type { Texts } from '../texts.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('de')

export const password: Texts['password'] = {
  title: 'Passwort',
  lead: 'Nach einer Änderung sind Sie überall sonst abgemeldet.',
  current: 'Aktuelles Passwort',
  next: 'Neues Passwort',
  submit: 'Passwort ändern',
  changed: 'Ihr Passwort ist geändert. Ihre anderen Sitzungen sind alle beendet.',
  wrong: 'Das ist nicht Ihr aktuelles Passwort.',
  missing: 'Das aktuelle Passwort eingeben.',
  byProxy: 'Sie melden sich über Ihren Proxy an; Ihr Passwort liegt dort.',
  inside: 'An diesem Port meldet sich niemand an, also gibt es kein Passwort zu ändern.',
  advice: {
    empty:
      'Mindestens 12 Zeichen. Drei oder vier Wörter, die nichts miteinander zu tun haben, sind stark und leicht zu merken.',
    short: (missing) => plural(missing, { other: 'Noch # Zeichen.' }),
    long: 'Zu lang: höchstens 1.024 Byte.',
    userName: 'Es darf nicht Ihr Benutzername sein.',
    containsName: 'Ihr Benutzername darin macht es leichter zu erraten.',
    repeated: 'Es wiederholt sich: Länge allein hilft da nicht.',
    sequence: 'Tasten- und Buchstabenfolgen werden mit als Erstes ausprobiert.',
    fine: 'Lang genug. Wenn es niemand erraten kann, der Sie kennt, ist es ein gutes.',
    good: 'Gut: lang und schwer zu erraten.',
    control: 'Es enthält ein Zeichen, das sich nicht tippen lässt, etwa einen Tabulator oder Zeilenumbruch.',
  },
}

export const account: Texts['account'] = {
  page: 'Konto',
  menu: (name, role) => `Konto: ${name} ${role}`,
  role: 'Rolle',
  open: 'Konto',
  appearance: 'Darstellung',
  appearanceLead: 'Wird in diesem Browser gespeichert.',
  theme: 'Design',
  light: 'Hell',
  dark: 'Dunkel',
  auto: 'System',
  signOut: 'Abmelden',
  signOutFailed: 'Das Abmelden hat nicht geklappt.',
  cameras: (count) => plural(count, { one: '# Kamera', other: '# Kameras' }),
  byProxy: 'Über Ihren Proxy angemeldet',
  byNobody: 'An diesem Port meldet sich niemand an; alle sind hier Admin',
}

export const sessions: Texts['sessions'] = {
  title: 'Ihre Sitzungen',
  lead: 'Alle Browser und Programme, die sich mit Ihrem Passwort angemeldet haben. Beenden Sie, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
  current: 'Diese Sitzung',
  seen: (when) => `Aktiv ${when}`,
  since: (when) => `angemeldet am ${when}`,
  end: 'Beenden',
  endOf: (device, when) => `Sitzung beenden: ${device}, aktiv ${when}`,
  endOthers: 'Alle anderen beenden',
  ended: 'Sitzung beendet.',
  othersEnded: 'Ihre anderen Sitzungen sind alle beendet.',
  endOthersTitle: 'Alle anderen Sitzungen beenden?',
  endOthersBody:
    'Alle anderen Browser und Programme werden sofort abgemeldet, und was sie zeigen, stoppt. Hier bleiben Sie angemeldet.',
  unknownDevice: 'Unbekanntes Gerät',
  device: (browser, system) => `${browser} auf ${system}`,
  program: (name) => `Programm: ${name}`,
}
