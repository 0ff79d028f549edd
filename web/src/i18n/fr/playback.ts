import type { Texts } from '../texts.ts'

export const playback: Texts['playback'] = {
  waiting: 'Chargement…',
  nothing: 'Rien n’a été enregistré ici.',
  gone: 'Cet enregistrement n’existe plus.',
  goneBody: 'Il a été effacé pour faire place à de plus récents.',
  lost: 'Connexion perdue. Nouvel essai…',
  unsupported: 'Ce navigateur ne peut pas lire la vidéo de cette caméra.',
  unsupportedBody:
    'Elle est enregistrée telle que la caméra l’envoie, en H.265 par exemple. Téléchargez-la et lisez-la avec un autre programme, ou réglez la caméra sur H.264.',
  broken: 'Cet enregistrement ne peut pas être lu.',
  ended: 'Vous ne pouvez plus voir cette caméra.',
  endedBody: 'Votre accès a pris fin. Si c’est une erreur, adressez-vous à votre administrateur.',
  missing: 'Cette caméra n’existe plus.',
}
