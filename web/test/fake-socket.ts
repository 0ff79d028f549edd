/** A WebSocket whose events the test dispatches. `all` lists every opened one in order. */
export class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readonly url: string
  readyState = 0
  binaryType = ''
  /** Closed by the page. */
  closed = false

  constructor(url: URL | string) {
    super()
    this.url = String(url)
    FakeSocket.all.push(this)
  }
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  receive(data: string | ArrayBuffer): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  /** Closed by the service or the network. */
  end(code = 1006): void {
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  close(): void {
    this.closed = true
    this.end(1000)
  }
}
