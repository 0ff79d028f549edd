import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('de')

export const cameras: AdminTexts['cameras'] = {
  title: 'Kameras',
  lead: 'Von hier holt Gatehouse seine Bilder. Änderungen gelten, sobald sie gespeichert sind.',
  list: 'Kameras',
  add: 'Kamera hinzufügen',
  emptyTitle: 'Noch keine Kameras',
  emptyBody: 'Fügen Sie eine hinzu: Nötig sind ihre Adresse und, falls sie danach fragt, Benutzername und Passwort.',
  demos:
    'Das sind Demo-Kameras. Sie erscheinen, weil in config.yml keine Kamera steht. Ihre erste eigene Kamera tritt an ihre Stelle.',
  unreadable:
    'config.yml ist so nicht lesbar, deshalb lassen sich Kameras hier nicht ändern. Bitte zuerst die Datei korrigieren.',
  openConfig: 'Konfiguration öffnen',
  states: { online: 'Online', connecting: 'Verbindet', offline: 'Offline', disabled: 'Ausgeschaltet' },
  picture: (title) => `Neuestes Bild von ${title}`,
  noPicture: 'Kein Bild',
  fps: (rate) => plural(rate, { other: '# fps' }),
  source: 'Quelle',
  unknownSource: 'nicht bekannt',
  roles: (roles) => `Sichtbar für ${roles} sowie admin und viewer`,
  edit: 'Bearbeiten',
  editOf: (title) => `${title} bearbeiten`,
  live: 'Live',
  liveOf: (title) => `${title} live ansehen`,
  motion: 'Bewegung',
  motionOf: (title) => `Bewegung an ${title}`,
  remove: 'Entfernen',
  removeOf: (title) => `${title} entfernen`,
  removeTitle: (title) => `${title} entfernen?`,
  removeBody:
    'Gatehouse holt sofort keine Bilder mehr von dieser Kamera, und wer gerade zusieht, verliert das Bild. Die Adresse der Kamera wird aus config.yml gelöscht.',
  removeRoles: (roles) => `Die Kamera wird auch aus diesen Rollen entfernt: ${roles}.`,
  removeOnly: (roles) =>
    `Für ${roles} ist es die einzige Kamera; dort ist danach nichts mehr zu sehen. Weil eine Rolle mindestens eine Kamera nennen muss, bleibt der Name dort stehen: Eine neue Kamera mit diesem Namen ist dort erst sichtbar, wenn ein Admin sie freigibt.`,
  removed: (title) => `${title} ist entfernt.`,
  removeChanged:
    'Jemand hat diese Kamera oder ihre Rollen inzwischen geändert. Bitte schließen und noch einmal prüfen, wer den Zugriff verliert.',
  form: {
    add: 'Kamera hinzufügen',
    edit: (title) => `${title} bearbeiten`,
    source: 'Quelle',
    sourceHelp:
      'Die Adresse, etwa rtsp://benutzer:passwort@192.168.1.20/stream1. Auch eine Videodatei im Medienordner oder demo:yard, demo:door, demo:office.',
    sourceReplace: 'Ersetzen',
    sourceKeep: 'Bisherige Quelle behalten',
    sourceMasked: 'Die Adresse ist verborgen, weil sie ein Passwort enthalten kann.',
    name: 'Name',
    nameHelp: 'Für Adressen und Rollen: Buchstaben ohne Umlaute, Ziffern, _ und -.',
    nameChanged: (roles) => `Diese Rollen werden angepasst: ${roles}.`,
    used: {
      title: (name) => `Den Namen ${name} gab es schon einmal`,
      removed: (when) => `Seine Kamera wurde am ${when} entfernt.`,
      listedOnly: 'Rollen führen ihn auf, obwohl ihn keine Kamera hatte.',
      recordings: (oldest, newest, size) => `Aufnahmen vom ${oldest} bis ${newest}, ${size}`,
      items: (count) => `Ereignisse: ${number(count)}`,
      exports: (count) => `Exporte: ${number(count)}`,
      roles: (roles) => `Rollen, die ihn aufführen: ${roles}`,
      role: (name, users) => `${name} (Benutzer: ${number(users)})`,
      inherit: 'Mit all dem weitermachen',
      inheritHelp:
        'Nur wenn es dieselbe Kamera ist. Sonst beginnt die neue Kamera leer, und Sie geben sie selbst für Rollen frei.',
    },
    title: 'Titel',
    titleHelp: 'So heißt die Kamera auf allen Seiten. Ohne Titel gilt der Name.',
    enabled: 'Eingeschaltet',
    enabledHelp: 'Ausgeschaltet bleibt sie in der Liste, aber es werden keine Bilder geholt.',
    keepDemos: 'Demo-Kameras behalten',
    save: 'Speichern',
    sourceMissing: 'Eingeben, woher das Bild kommt.',
    nameMissing: 'Einen Namen eingeben.',
    nameWrong: '1 bis 64 Buchstaben (ohne Umlaute), Ziffern, _ und -.',
    nameTaken: 'Es gibt schon eine Kamera mit diesem Namen.',
    changedMeanwhile:
      'Jemand hat diese Kamera inzwischen geändert. Bitte schließen und mit dem neuen Stand noch einmal beginnen.',
    others: 'An anderer Stelle in config.yml:',
    added: (title) => `${title} ist hinzugefügt. Das Bild erscheint, sobald die Kamera antwortet.`,
    saved: (title) => `${title} ist gespeichert.`,
  },
  secret: {
    title: 'In der Adresse steht ein Passwort',
    body: 'Es würde in config.yml stehen, lesbar für alle, die diese Datei lesen können. Ein Platzhalter hält es heraus.',
    use: 'Platzhalter verwenden',
    how: (name) =>
      `Legen Sie vor dem Speichern das Passwort in einer Datei namens ${name} im Ordner $CREDENTIALS_DIRECTORY ab (üblich: /run/secrets), oder setzen Sie eine Umgebungsvariable dieses Namens und starten Sie neu. Schreiben Sie das Passwort so, wie es ist; kodiert wird es von selbst.`,
  },
  test: {
    start: 'Verbindung testen',
    again: 'Noch einmal testen',
    lead: 'Probiert die Quelle bis zu 10 Sekunden lang aus. Gespeichert wird nichts.',
    running: (seconds) => `Verbindet … noch ${seconds}`,
    progress: 'Verbindungstest',
    value: (name) => `Wert für {${name}}, nur für diesen Test`,
    valueHelp:
      'Platzhalter werden für einen Test nicht gefüllt, damit kein Geheimnis an eine eben eingetippte Adresse geht.',
    works: 'Es klappt',
    failed: 'Es klappt noch nicht',
    picture: 'Bild aus dem Test',
    facts: (codec, resolution, fps) => `${codec} · ${resolution}${fps === '' ? '' : ` · ${fps}`}`,
    hevc: 'Nicht jeder Browser kann H.265 abspielen. Bleibt das Bild stehen, stellen Sie die Kamera auf H.264 um.',
    hints: {
      credentials:
        'Prüfen Sie Benutzername und Passwort. Viele Kameras brauchen für Video einen eigenen Benutzer, der in den Einstellungen der Kamera angelegt wird.',
      access:
        'Die Kamera kennt den Benutzer, zeigt ihm aber das Video nicht. Geben Sie diesem Benutzer das Recht zum Ansehen.',
      path: 'Der Host antwortet, aber nicht unter diesem Pfad. Den Pfad des Streams nennt das Handbuch der Kamera, etwa /stream1 oder /h264Preview_01_main.',
      port: 'Der Host ist da, aber auf diesem Port antwortet nichts. Prüfen Sie den Port (554 für RTSP) und ob RTSP oder ONVIF in der Kamera eingeschaltet ist.',
      silent: 'Prüfen Sie die Adresse, ob die Kamera Strom hat und ob eine Firewall dazwischensteht.',
      host: 'Prüfen Sie die Schreibweise, oder nehmen Sie die IP-Adresse.',
      video: 'Prüfen Sie, ob die Adresse zu einem Videostream gehört, und stellen Sie die Kamera auf H.264 um.',
      file: 'Legen Sie die Datei in den Medienordner, für Gatehouse lesbar.',
      ffmpeg: 'Installieren Sie ffmpeg auf dem Rechner, auf dem Gatehouse läuft.',
    },
  },
}
