// The connection of a playing page: it is opened again when the server is back.

const RETRY = 1500;

export class Connection {
  constructor({ opened, heard, lost }) {
    Object.assign(this, { opened, heard, lost, closed: false });
    this.#open();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/play`);
    this.socket.addEventListener("open", () => this.opened());
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      if (this.closed) return;
      this.lost();
      setTimeout(() => !this.closed && this.#open(), RETRY);
    });
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
