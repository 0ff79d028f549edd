import type { MotionTexts } from '../en/motion.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('fr')

const masksOf = (count: number) => plural(count, { one: '# masque', many: '# de masques', other: '# masques' })

export const motion: MotionTexts = {
  title: (camera) => `Mouvement sur ${camera}`,
  lead: 'Où il est recherché, et avec quelle finesse. Une modification prend effet dès qu’elle est enregistrée, et le direct continue.',
  up: 'Toutes les caméras',
  goneTitle: 'Cette caméra n’existe pas',
  gone: (camera) => `Aucune caméra ne s’appelle « ${camera} ». Quelqu’un l’a peut-être retirée.`,
  picture: (camera) => `Image la plus récente de ${camera}`,
  area: (camera) => `Image de ${camera} avec ses masques`,
  frame: {
    off: 'La caméra est désactivée, il n’y a donc pas d’image. Ses masques sont conservés.',
    offline: 'La caméra est hors ligne, et aucune image d’elle n’est conservée. Ses masques restent valables.',
    waiting: 'La première image arrive.',
    old: (ago) => `La caméra est hors ligne. Cette image est arrivée ${ago}.`,
  },
  masks: {
    title: 'Masques',
    lead: 'Parties de l’image qui ne sont pas observées : un arbre, une rue, l’horloge de la caméra. Elles restent visibles et enregistrées.',
    none: 'Aucun masque : toute l’image est observée.',
    hint: 'Appuyez sur un masque pour le modifier, ici ou dans la liste.',
    add: 'Ajouter un masque',
    name: (number) => `Masque ${number}`,
    facts: (corners, percent) =>
      plural(
        corners,
        {
          one: '# coin, {percent} de l’image',
          many: '# de coins, {percent} de l’image',
          other: '# coins, {percent} de l’image',
        },
        { percent },
      ),
    delete: 'Supprimer le masque',
    deleteOf: (name) => `Supprimer ${name}`,
    all: 'Les masques couvrent presque toute l’image. Presque rien ne sera trouvé.',
  },
  drawing: {
    start: 'Appuyez sur l’image là où doivent être les coins, l’un après l’autre.',
    more: (left) =>
      plural(left, {
        one: 'Encore # coin au moins.',
        many: 'Encore # de coins au moins.',
        other: 'Encore # coins au moins.',
      }),
    ready: 'Le premier coin ou « Terminer » ferme le masque.',
    keys: 'Au clavier : les flèches déplacent le viseur, Entrée pose un coin.',
    crosshair: (place) => `Viseur, ${place}`,
    finish: 'Terminer',
    takeBack: 'Retirer le dernier coin',
  },
  corner: {
    name: (number, mask, place) => `Coin ${number} de ${mask}, ${place}`,
    whole: (mask, place) => `${mask} en entier, ${place}`,
    place: (left, top) => `${left} depuis la gauche, ${top} depuis le haut`,
    add: 'Ajouter un coin',
    delete: 'Supprimer le coin',
    least: 'Un masque a au moins trois coins. Supprimez plutôt le masque entier.',
    deleted: 'Coin supprimé.',
    put: 'Appuyez là où il doit aller. Échap le laisse où il est.',
    hint: 'Faites glisser un coin, ou appuyez dessus puis là où il doit aller. Les flèches le déplacent, plus loin avec Maj ; Suppr le retire.',
  },
  undo: 'Annuler la dernière étape',
  undone: 'Étape annulée.',
  maskDeleted: 'Masque supprimé.',
  detection: {
    title: 'Détection',
    enabled: 'Rechercher le mouvement',
    enabledHelp: 'Désactivé, rien de cette caméra n’arrive dans la revue, et tout est enregistré.',
    sensitivity: 'Sensibilité',
    levels: { low: 'Basse', medium: 'Moyenne', high: 'Haute' },
    help: {
      low: 'Ce qui est proche ou grand, comme une personne d’un tiers de la hauteur de l’image.',
      medium: 'Une personne d’un dixième de la hauteur de l’image.',
      high: 'Ce qui est encore plus petit ou se distingue à peine. Plus de fausses alertes.',
    },
    now: 'Maintenant',
    still: 'Rien ne bouge',
    little: (percent) => `${percent} changent, trop peu pour compter`,
    moving: (percent) => `${percent} de ce qui est observé bougent`,
    off: 'Le mouvement n’est pas recherché',
    waiting: 'En attente d’images',
    nowHelp: 'Avec ce qui est enregistré. Le cadre clair dans l’image montre où.',
    elsewhere: 'Un second flux pour le mouvement s’indique dans config.yml.',
  },
  save: 'Enregistrer',
  saved: (camera) => `Le mouvement sur ${camera} est enregistré.`,
  discard: 'Abandonner les modifications',
  others: 'Ailleurs dans config.yml :',
  conflict: {
    title: 'Quelqu’un d’autre a modifié cela entre-temps',
    soon: 'Quelqu’un d’autre vient de modifier cela, rien n’a donc été enregistré. Sa modification s’affichera ici dans quelques secondes.',
    body: (sensitivity, masks) =>
      `Sa version : sensibilité ${sensitivity}, ${masksOf(masks)}, en tirets dans l’image. Rien n’en est écrasé avant votre choix.`,
    bodyOff: (masks) =>
      `Sa version : le mouvement n’est pas recherché, ${masksOf(masks)}, en tirets dans l’image. Rien n’en est écrasé avant votre choix.`,
    theirs: 'Prendre la sienne',
    mine: 'Continuer avec la mienne',
  },
}
