// The minimum of a chat: `ws` broadcasts every message to all sockets. Nothing is stored or authorized.
// Prints one line of JSON once it is ready: usage: chat-bare-server.ts MEMBERS PORT
import { randomUUID } from 'node:crypto'
import { WebSocketServer } from 'ws'

const members = Number(process.argv[2])
const port = Number(process.argv[3])
const server = new WebSocketServer({ host: '127.0.0.1', port, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    for (const client of server.clients) client.send(data, { binary: true })
  })
})
server.on('listening', () => {
  const seats = Array.from({ length: members }, () => ({ id: randomUUID() }))
  console.log(JSON.stringify({ kind: 'bare', port, seats }))
})
process.on('SIGTERM', () => process.exit(0))
