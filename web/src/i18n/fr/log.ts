import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { number } = countingIn('fr')

export const log: AdminTexts['log'] = {
  lead: 'Les lignes les plus récentes depuis le démarrage. Qui a fait quoi se trouve dans l’audit.',
  logger: 'Composant',
  allLoggers: 'Tous les composants',
  level: 'À partir du niveau',
  levels: { debug: 'Débogage', info: 'Info', warn: 'Avertissement', error: 'Erreur' },
  search: 'Rechercher',
  follow: 'Suivre',
  lines: 'Lignes du journal',
  count: (shown, all) => (shown === all ? `Lignes : ${number(all)}` : `Lignes : ${number(shown)} sur ${number(all)}`),
  noDetails: 'Pas d’autres détails.',
  copy: 'Copier',
  copyAll: 'Copier toutes les lignes',
  copied: 'Copié',
  noneTitle: 'Aucune ligne',
  none: 'Aucune ligne ne correspond à votre recherche.',
  clear: 'Afficher toutes les lignes',
  toNewest: 'Aller à la ligne la plus récente',
}
