import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('fr')

export const config: AdminTexts['config'] = {
  title: 'Configuration',
  lead: 'config.yml en entier. Chaque clé s’explique pendant la saisie et au survol.',
  editor: 'config.yml',
  keys: 'Ici, Tab indente le texte. Pour quitter l’éditeur, appuyez sur Échap puis sur Tab. Ctrl+Espace propose des clés et des valeurs, Ctrl+S enregistre.',
  secrets: 'Les mots de passe contenus dans ce fichier sont lisibles ici.',
  review: 'Vérifier et enregistrer',
  discard: 'Abandonner',
  discardTitle: 'Abandonner vos modifications ?',
  discardBody: 'Tout ce que vous avez modifié depuis le dernier enregistrement sera perdu.',
  unsaved: 'Non enregistré',
  unchanged: 'Enregistré',
  changed: 'config.yml a été modifié ailleurs. Voici la version la plus récente.',
  changedMeanwhile: 'Quelqu’un a modifié config.yml en même temps que vous.',
  compare: 'Comparer',
  problems: 'Ce qui ne va pas',
  checking: 'Vérification…',
  fine: 'Aucun problème',
  count: (problems, warnings) =>
    [
      ...(problems === 0
        ? []
        : [plural(problems, { one: '# problème', many: '# de problèmes', other: '# problèmes' })]),
      ...(warnings === 0
        ? []
        : [plural(warnings, { one: '# avertissement', many: '# d’avertissements', other: '# avertissements' })]),
    ].join(', '),
  line: (line) => `Ligne ${line}`,
  problem: 'Problème',
  warning: 'Avertissement',
  saveTitle: 'Enregistrer ces modifications ?',
  saveLead: 'À gauche, ce qui est en vigueur. À droite, votre version.',
  saveLeadNarrow: 'Le rouge disparaît, le vert arrive.',
  save: 'Enregistrer',
  toEditor: 'Retour à l’éditeur',
  inForce: 'En vigueur',
  yours: 'Votre version',
  mendFirst: 'Impossible d’enregistrer pour l’instant. À corriger d’abord :',
  orphans: {
    title: (count) =>
      plural(count, {
        one: '# utilisateur perdrait l’accès',
        many: '# d’utilisateurs perdraient l’accès',
        other: '# utilisateurs perdraient l’accès',
      }),
    body: (roles) =>
      `Aucun rôle ne s’appelle ${roles} dans votre version. Ces utilisateurs gardent le nom de leur rôle, mais ne verront rien tant que le rôle n’existe pas de nouveau ou que vous ne leur en attribuez pas un autre :`,
    saveAnyway: 'Enregistrer quand même',
  },
  doubtful: 'L’enregistrement est possible, mais ce n’est sans doute pas voulu :',
  savedTitle: 'Enregistré',
  applied: 'En vigueur dès maintenant :',
  restart: 'En attente d’un redémarrage de Gatehouse :',
  nothingApplied: 'Le fichier est enregistré. Rien ne change dans le fonctionnement de Gatehouse.',
  conflict: {
    title: 'Quelqu’un a enregistré avant vous',
    lead: 'Rien de votre travail n’est perdu, et rien du sien n’est encore écrasé. Reprenez ce que vous voulez de l’autre version ; le côté droit est modifiable.',
    theirs: 'L’autre version, en vigueur',
    mine: 'La vôtre, telle qu’elle sera enregistrée',
    take: 'Prendre l’autre',
    keep: 'Garder la mienne',
    leadNarrow:
      'Rien de votre travail n’est perdu, et rien du sien n’est encore écrasé. Le rouge n’est que dans l’autre version, le vert que dans la vôtre. Ce qui reste ici est modifiable et sera enregistré.',
    goOn: 'Continuer avec le côté droit',
    goOnNarrow: 'Continuer avec ceci',
    useTheirs: 'Abandonner la mienne, prendre l’autre',
    dropTitle: 'Abandonner vos modifications ?',
    dropBody:
      'Tout ce que vous avez modifié depuis votre dernier enregistrement sera perdu, et l’autre version s’affichera.',
    taken: 'Vous repartez de l’autre version. Vos modifications ne sont pas encore enregistrées.',
  },
  manual: {
    allowed: (values) => `Valeurs possibles : ${values.join(', ')}`,
    byDefault: (value) => `Par défaut : ${value}`,
    example: (value) => `Exemple : ${value}`,
  },
  /** The editor's own words, by what they are in English. */
  phrases: {
    'Go to line': 'Aller à la ligne',
    go: 'aller',
    Find: 'Rechercher',
    Replace: 'Remplacer',
    next: 'suivant',
    previous: 'précédent',
    all: 'tout',
    'match case': 'respecter la casse',
    'by word': 'mot entier',
    regexp: 'expression régulière',
    replace: 'remplacer',
    'replace all': 'tout remplacer',
    close: 'fermer',
    'current match': 'résultat actuel',
    'on line': 'à la ligne',
    'replaced match on line $': 'résultat remplacé à la ligne $',
    'replaced $ matches': 'résultats remplacés : $',
    Diagnostics: 'Problèmes',
    'No diagnostics': 'Aucun problème',
    Completions: 'Suggestions',
    'Control character': 'Caractère de contrôle',
    'Selection deleted': 'Sélection supprimée',
    'Folded lines': 'Lignes repliées',
    'Unfolded lines': 'Lignes dépliées',
    'Fold line': 'Replier la ligne',
    'Unfold line': 'Déplier la ligne',
    'folded code': 'code replié',
    unfold: 'déplier',
    to: 'à',
    '$ unchanged lines': '$ lignes inchangées',
  },
}
