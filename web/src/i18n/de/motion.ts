import type { MotionTexts } from '../en/motion.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('de')

const masksOf = (count: number) => plural(count, { one: '# Maske', other: '# Masken' })

export const motion: MotionTexts = {
  title: (camera) => `Bewegung an ${camera}`,
  lead: 'Wo danach gesucht wird, und wie genau. Eine Änderung gilt, sobald sie gespeichert ist; das Livebild läuft weiter.',
  up: 'Alle Kameras',
  goneTitle: 'Diese Kamera gibt es nicht',
  gone: (camera) => `Es gibt keine Kamera namens „${camera}“. Vielleicht wurde sie entfernt.`,
  picture: (camera) => `Neuestes Bild von ${camera}`,
  area: (camera) => `Bild von ${camera} mit seinen Masken`,
  frame: {
    off: 'Die Kamera ist ausgeschaltet, daher gibt es kein Bild. Ihre Masken bleiben erhalten.',
    offline: 'Die Kamera ist offline, und es gibt kein Bild von früher. Ihre Masken gelten trotzdem.',
    waiting: 'Das erste Bild ist unterwegs.',
    old: (ago) => `Die Kamera ist offline. Dieses Bild kam ${ago}.`,
  },
  masks: {
    title: 'Masken',
    lead: 'Teile des Bildes, die nicht beachtet werden: ein Baum, eine Straße, die Uhr der Kamera. Zu sehen sind sie weiterhin, und aufgezeichnet werden sie auch.',
    none: 'Keine Masken: Das ganze Bild wird beachtet.',
    hint: 'Drücken Sie auf eine Maske, um sie zu ändern, hier oder in der Liste.',
    add: 'Maske hinzufügen',
    name: (number) => `Maske ${number}`,
    facts: (corners, percent) =>
      plural(corners, { one: '# Ecke, {percent} des Bildes', other: '# Ecken, {percent} des Bildes' }, { percent }),
    delete: 'Maske löschen',
    deleteOf: (name) => `${name} löschen`,
    all: 'Die Masken bedecken fast das ganze Bild. Es wird kaum etwas gefunden.',
  },
  drawing: {
    start: 'Drücken Sie im Bild nacheinander dorthin, wo die Ecken sein sollen.',
    more: (left) => plural(left, { one: 'Mindestens noch # Ecke.', other: 'Mindestens noch # Ecken.' }),
    ready: 'Die erste Ecke oder „Fertig“ schließt die Maske.',
    keys: 'Mit der Tastatur: Pfeiltasten bewegen das Fadenkreuz, die Eingabetaste setzt eine Ecke.',
    crosshair: (place) => `Fadenkreuz, ${place}`,
    finish: 'Fertig',
    takeBack: 'Ecke zurücknehmen',
  },
  corner: {
    name: (number, mask, place) => `Ecke ${number} von ${mask}, ${place}`,
    whole: (mask, place) => `${mask} als Ganzes, ${place}`,
    place: (left, top) => `${left} von links, ${top} von oben`,
    add: 'Ecke hinzufügen',
    delete: 'Ecke löschen',
    least: 'Eine Maske hat mindestens drei Ecken. Löschen Sie stattdessen die ganze Maske.',
    deleted: 'Ecke gelöscht.',
    put: 'Drücken Sie dorthin, wo sie sein soll. Esc lässt sie, wo sie ist.',
    hint: 'Ziehen Sie eine Ecke, oder drücken Sie erst auf die Ecke und dann auf ihr Ziel. Pfeiltasten bewegen sie, mit Umschalt weiter; Entf löscht sie.',
  },
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht.',
  maskDeleted: 'Maske gelöscht.',
  detection: {
    title: 'Erkennung',
    enabled: 'Nach Bewegung suchen',
    enabledHelp: 'Ausgeschaltet kommt von dieser Kamera nichts in den Rückblick, und alles wird aufgezeichnet.',
    sensitivity: 'Empfindlichkeit',
    levels: { low: 'Niedrig', medium: 'Mittel', high: 'Hoch' },
    help: {
      low: 'Was nah oder groß ist, etwa eine Person von einem Drittel der Bildhöhe.',
      medium: 'Eine Person von einem Zehntel der Bildhöhe.',
      high: 'Auch, was noch kleiner ist oder sich kaum abhebt. Mehr Fehlalarme.',
    },
    now: 'Jetzt',
    still: 'Nichts bewegt sich',
    little: (percent) => `${percent} ändern sich, zu wenig, um zu zählen`,
    moving: (percent) => `${percent} der beachteten Fläche bewegen sich`,
    off: 'Nach Bewegung wird nicht gesucht',
    waiting: 'Es wird auf Bilder gewartet',
    nowHelp: 'Mit dem, was gespeichert ist. Der helle Rahmen im Bild zeigt, wo.',
    elsewhere: 'Ein zweiter Stream für Bewegung steht in config.yml.',
  },
  save: 'Speichern',
  saved: (camera) => `Bewegung an ${camera} ist gespeichert.`,
  discard: 'Änderungen verwerfen',
  others: 'Anderswo in config.yml:',
  conflict: {
    title: 'Jemand anderes hat das inzwischen geändert',
    soon: 'Jemand anderes hat das gerade geändert, daher wurde nichts gespeichert. Was geändert wurde, ist hier in wenigen Sekunden zu sehen.',
    body: (sensitivity, masks) =>
      `Deren Stand: Empfindlichkeit ${sensitivity}, ${masksOf(masks)}, im Bild gestrichelt. Nichts davon wird überschrieben, bevor Sie sich entscheiden.`,
    bodyOff: (masks) =>
      `Deren Stand: Nach Bewegung wird nicht gesucht, ${masksOf(masks)}, im Bild gestrichelt. Nichts davon wird überschrieben, bevor Sie sich entscheiden.`,
    theirs: 'Deren Stand nehmen',
    mine: 'Mit meinem weitermachen',
  },
}
