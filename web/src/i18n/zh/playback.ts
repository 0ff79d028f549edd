import type { Texts } from '../texts.ts'

export const playback: Texts['playback'] = {
  waiting: '正在加载…',
  nothing: '此处没有录像。',
  gone: '这段录像已不存在。',
  goneBody: '它已被清除，为新的录像腾出空间。',
  lost: '连接中断，正在重试…',
  unsupported: '此浏览器无法播放该摄像头的视频。',
  unsupportedBody: '录像保持摄像头发送的格式，例如 H.265。请下载后用其他程序播放，或将摄像头设为 H.264。',
  broken: '这段录像无法播放。',
  ended: '已无权查看此摄像头。',
  endedBody: '对它的访问权限已结束。如有误，请联系管理员。',
  missing: '此摄像头已不存在。',
}
