import type { Texts } from '../texts.ts'

export const settings: Texts['settings'] = {
  page: 'Einstellungen',
  title: 'Einstellungen',
  menu: 'Einstellungen',
  sections: {
    users: 'Benutzer',
    roles: 'Rollen',
    cameras: 'Kameras',
    storage: 'Speicher',
    access: 'Zugriff',
    config: 'Konfiguration',
    audit: 'Aktivitäten',
    log: 'Protokoll',
    system: 'System',
  },
  about: {
    users: 'Wer sich anmelden darf',
    roles: 'Wer welche Kameras sieht',
    cameras: 'Hinzufügen, testen, ändern',
    storage: 'Was Aufnahmen belegen und wie lange sie reichen',
    access: 'Prüfen, was jemand sieht',
    config: 'Alles in einer Datei',
    audit: 'Wer wann was getan hat',
    log: 'Was der Dienst meldet',
    system: 'Version und Auslastung',
  },
  leave: {
    title: 'Ohne Speichern verlassen?',
    body: (what) => `Ihre Änderungen an ${what} sind nicht gespeichert und gehen verloren.`,
    confirm: 'Trotzdem verlassen',
  },
}
