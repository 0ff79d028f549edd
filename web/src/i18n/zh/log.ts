import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { number } = countingIn('zh-Hans')

export const log: AdminTexts['log'] = {
  lead: '启动以来的最新日志。谁做了什么，请查看审计。',
  logger: '日志来源',
  allLoggers: '所有来源',
  level: '最低级别',
  levels: { debug: '调试', info: '信息', warn: '警告', error: '错误' },
  search: '搜索',
  follow: '跟踪最新',
  lines: '日志',
  count: (shown, all) => (shown === all ? `${number(all)} 行` : `${number(shown)} 行，共 ${number(all)} 行`),
  noDetails: '没有更多详情。',
  copy: '复制',
  copyAll: '复制所有行',
  copied: '已复制',
  noneTitle: '没有日志',
  none: '没有符合条件的日志。',
  clear: '显示所有行',
  toNewest: '跳到最新一行',
}
