import type { Texts } from '../texts.ts'

export const playback: Texts['playback'] = {
  waiting: 'Wird geladen …',
  nothing: 'Hier wurde nichts aufgenommen.',
  gone: 'Diese Aufnahme ist nicht mehr da.',
  goneBody: 'Sie wurde gelöscht, um Platz für neuere zu schaffen.',
  lost: 'Verbindung verloren. Neuer Versuch …',
  unsupported: 'Dieser Browser kann das Video dieser Kamera nicht abspielen.',
  unsupportedBody:
    'Es wird so aufgenommen, wie die Kamera es sendet, zum Beispiel als H.265. Laden Sie es herunter und spielen Sie es mit einem anderen Programm ab, oder stellen Sie die Kamera auf H.264.',
  broken: 'Diese Aufnahme lässt sich nicht abspielen.',
  ended: 'Sie dürfen diese Kamera nicht mehr sehen.',
  endedBody: 'Ihr Zugriff darauf ist beendet. Falls das ein Versehen ist, fragen Sie in der Verwaltung nach.',
  missing: 'Diese Kamera gibt es nicht mehr.',
}
