// msgget(2), msgop(2), msgctl(2).
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/ipc/ipc_calls.h"

namespace hardclock::posix {
namespace calls {
namespace {

constexpr std::uint32_t msg_noerror = 010000;

Result<std::shared_ptr<MessageQueue>, Errno> queue_of(Call& call, std::uint32_t wanted) {
  return ipc_object(call, call.os.ipc().queues, ipc_limits(call).messages.queues, wanted);
}

// struct msgbuf: a long and the text. EINVAL, EFAULT.
Result<Message, Errno> read_message(Call& call) {
  const std::uint64_t size = call.arguments[2];
  if (size > ipc_limits(call).messages.bytes) return Failure{Errno::einval};
  GuestReader reader(call, call.address(1));
  Message message{.type = reader.signed_long(), .text = std::vector<std::uint8_t>(size)};
  if (!reader.ok()) return Failure{Errno::efault};
  if (message.type < 1) return Failure{Errno::einval};
  if (!call.memory.read_bytes(call.address(1) + reader.long_bytes(), message.text)) {
    return Failure{Errno::efault};
  }
  return message;
}

CallResult store_message(Call& call, Message message, std::uint64_t most) {
  if (message.text.size() > most) message.text.resize(most);
  return GuestStruct(call)
      .word_long(static_cast<std::uint64_t>(message.type))
      .append(message.text)
      .store(call, call.address(1), CallResult::offset(message.text.size()));
}

// Nothing: MSG_COPY asks for what it does not go with.
std::optional<MessageWanted> message_wanted(const Call& call) {
  const IpcInterface& ipc = *call.system.ipc;
  const std::uint32_t flags = call.argument(4);
  MessageWanted wanted{.type = long_argument(call, 3),
                       .other_type = ipc.other_type != 0 && (flags & ipc.other_type) != 0,
                       .most = call.arguments[2],
                       .cuts = (flags & msg_noerror) != 0};
  if (ipc.copy == 0 || (flags & ipc.copy) == 0) return wanted;
  if (wanted.other_type || (flags & ipc_no_wait) == 0) return std::nullopt;
  wanted.place = static_cast<std::uint64_t>(wanted.type);
  return wanted;
}

}  // namespace

// msgget(key, flags)
CallResult msgget(Call& call) {
  const IpcLimits::Messages& limits = ipc_limits(call).messages;
  return ipc_get(
      call, call.os.ipc().queues, limits.queues, call.argument(1),
      [](const MessageQueue&) { return std::optional<Errno>(); },
      [&](const IpcPermission& permission) -> Result<std::shared_ptr<MessageQueue>, Errno> {
        MessageTotal& total = call.os.ipc().messages;
        total.most = limits.messages;
        return std::make_shared<MessageQueue>(permission, limits.queue_bytes, ipc_time(call),
                                              call.memory.budget(), total);
      });
}

// msgsnd(queue, message, size, flags)
CallResult msgsnd(Call& call) {
  if (const auto waiter = ipc_waited(call)) {
    return waiter->error ? CallResult::failure(*waiter->error) : CallResult::value(0);
  }
  auto message = read_message(call);
  if (!message) return CallResult::failure(message.error());
  const auto queue = queue_of(call, ipc_write);
  if (!queue) return CallResult::failure(queue.error());
  if ((*queue)->has_room(message->text.size())) {
    const auto error = (*queue)->send(*std::move(message), call.process.pid, ipc_time(call));
    return error ? CallResult::failure(*error) : CallResult::value(0);
  }
  if ((call.argument(3) & ipc_no_wait) != 0) return CallResult::failure(Errno::eagain);
  auto sender = std::make_shared<MessageSender>();
  sender->message = *std::move(message);
  sender->pid = call.process.pid;
  return ipc_wait((*queue)->wait_to_send(std::move(sender)));
}

// msgrcv(queue, message, size, type, flags)
CallResult msgrcv(Call& call) {
  const auto wanted = message_wanted(call);
  if (!wanted || long_argument(call, 2) < 0) return CallResult::failure(Errno::einval);
  if (const auto waiter = ipc_waited(call)) {
    if (waiter->error) return CallResult::failure(*waiter->error);
    return store_message(call, std::move(static_cast<MessageReceiver&>(*waiter).message),
                         wanted->most);
  }
  const auto queue = queue_of(call, ipc_read);
  if (!queue) return CallResult::failure(queue.error());
  auto message = (*queue)->receive(*wanted, call.process.pid, ipc_time(call));
  if (!message) return CallResult::failure(message.error());
  if (*message) {
    call.os.ipc().admit_senders(ipc_time(call));
    return store_message(call, **std::move(message), wanted->most);
  }
  if ((call.argument(4) & ipc_no_wait) != 0) return CallResult::failure(Errno::enomsg);
  auto receiver = std::make_shared<MessageReceiver>();
  receiver->wanted = *wanted;
  receiver->pid = call.process.pid;
  return ipc_wait((*queue)->wait_to_receive(std::move(receiver)));
}

namespace {

CallResult set_queue(Call& call, MessageQueue& queue, const IpcForms& forms) {
  const auto asked = load_status(call, forms.queue, queue.status(), call.address(2));
  if (!asked) return CallResult::failure(asked.error());
  const Credentials& caller = call.state.credentials;
  const std::uint64_t most = ipc_limits(call).messages.queue_bytes;
  if (!queue.permission.is_of(caller) || (asked->limit > most && !caller.is_superuser())) {
    return CallResult::failure(Errno::eperm);
  }
  change_permission(queue.permission, asked->permission);
  queue.set_limit(asked->limit, ipc_time(call));
  call.os.ipc().admit_senders(ipc_time(call));
  return CallResult::value(0);
}

}  // namespace

// msgctl(queue, command, buffer)
CallResult msgctl(Call& call) {
  return msgctl_with(call, ipc_forms(call));
}

}  // namespace calls

CallResult msgctl_with(Call& call, const IpcForms& forms) {
  using namespace calls;
  const IpcCommands& commands = call.system.ipc->commands;
  const std::uint32_t command = call.argument(1);
  const auto queue = queue_of(call, command == commands.status ? ipc_read : 0);
  if (!queue) return CallResult::failure(queue.error());
  if (command == commands.status) {
    return store_status(call, forms.queue, (*queue)->status(), call.address(2));
  }
  if (command == commands.set) return set_queue(call, **queue, forms);
  if (command != commands.remove) return CallResult::failure(Errno::einval);
  if (!(*queue)->permission.is_of(call.state.credentials)) {
    return CallResult::failure(Errno::eperm);
  }
  (*queue)->end();
  call.os.ipc().queues.remove(**queue);
  return CallResult::value(0);
}

}  // namespace hardclock::posix
