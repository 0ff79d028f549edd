import type { Texts } from '../texts.ts'

export const login: Texts['login'] = {
  page: 'Anmelden',
  title: 'Anmelden',
  user: 'Benutzername',
  password: 'Passwort',
  submit: 'Anmelden',
  userMissing: 'Den Benutzernamen eingeben.',
  passwordMissing: 'Das Passwort eingeben.',
  failed: 'Benutzername oder Passwort ist falsch.',
  tooMany: 'Zu viele Fehlversuche.',
  tooManyWait: (time) => `Zu viele Fehlversuche. Der nächste Versuch ist in ${time} möglich.`,
  busy: 'Gatehouse ist gerade ausgelastet. Ihr Passwort wurde nicht geprüft.',
  busyWait: (time) => `Gatehouse ist gerade ausgelastet. Versuchen Sie es in ${time} noch einmal.`,
  network: 'Gatehouse ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  notKept:
    'Das Passwort stimmt, aber dieser Browser hat die Anmeldung nicht behalten. Cookies für diese Adresse erlauben oder Gatehouse in einem eigenen Fenster öffnen.',
  mayTryAgain: 'Sie können es jetzt noch einmal versuchen.',
  forgot: 'Passwort vergessen?',
  forgotBody:
    'Bitten Sie Ihren Admin, ein neues festzulegen. Wenn Sie selbst der Admin sind, setzen Sie in config.yml auth.reset_admin_password auf true und starten Sie neu: Im Protokoll steht dann ein neues Passwort für admin.',
  ended: 'Sie wurden abgemeldet. Nach dem Anmelden geht es dort weiter, wo Sie waren.',
  proxyTitle: 'Sie melden sich über Ihren Proxy an',
  proxyBody:
    'Dieses Gatehouse überlässt das Anmelden dem Proxy davor, deshalb gibt es hier kein Passwort. Öffnen Sie Gatehouse über die Adresse des Proxys, oder melden Sie sich zuerst dort an.',
  proxyAgain: 'Noch einmal prüfen',
}

export const newPassword: Texts['newPassword'] = {
  page: 'Neues Passwort wählen',
  title: 'Wählen Sie Ihr eigenes Passwort',
  lead: 'Das Passwort, mit dem Sie sich angemeldet haben, steht im Protokoll. Wählen Sie eines, das nur Sie kennen; dann geht es weiter.',
  leadGiven:
    'Das Passwort, mit dem Sie sich angemeldet haben, hat ein Admin gewählt. Wählen Sie eines, das nur Sie kennen; dann geht es weiter.',
  submit: 'Festlegen und weiter',
  given: 'Passwort, das Sie bekommen haben',
  printed: 'Passwort aus dem Protokoll',
}
