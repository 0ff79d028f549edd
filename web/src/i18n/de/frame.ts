import type { Texts } from '../texts.ts'

export const failure: Texts['failure'] = {
  title: 'Das hat nicht geklappt',
  network: 'Gatehouse ist nicht erreichbar. Prüfen Sie Ihre Verbindung; diese Seite versucht es weiter.',
  busy: 'Gatehouse ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  unavailable: 'Gatehouse kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
  unexpected: 'Etwas ist schiefgelaufen. Wenn es so bleibt, sagen Sie Ihrem Admin Bescheid.',
  stale: 'Verbindung verloren. Was Sie sehen, ist vielleicht veraltet; neuer Versuch läuft …',
  page: 'Diese Seite ließ sich nicht laden. Vielleicht wurde Gatehouse aktualisiert.',
  reload: 'Seite neu laden',
  elsewhere: 'Ihr Anmeldedienst schickt diese Seite immer wieder zurück.',
  elsewhereGo: 'Weiter zur Anmeldung',
}

export const denied: Texts['denied'] = {
  title: 'Kein Zugriff',
  body: 'Diese Seite gehört nicht zu Ihrer Rolle. Wenn Sie sie brauchen, wenden Sie sich an Ihren Admin.',
  home: 'Zur Live-Ansicht',
}

export const notFound: Texts['notFound'] = {
  title: 'Hier ist nichts',
  body: 'Unter dieser Adresse gibt es keine Seite.',
  home: 'Zur Live-Ansicht',
}

export const language: Texts['language'] = {
  label: 'Sprache',
  auto: (name) => `Wie im Browser (${name})`,
  failed: 'Diese Sprache ließ sich nicht laden. Versuchen Sie es gleich noch einmal.',
}

export const offline: Texts['offline'] = {
  title: 'Gatehouse ist nicht erreichbar',
  body: 'Vielleicht ist es ausgeschaltet oder startet gerade, oder dieses Gerät ist nicht in seinem Netz. Diese Seite versucht es von selbst noch einmal.',
  again: 'Noch einmal versuchen',
}
